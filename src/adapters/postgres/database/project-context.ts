import type { Clock } from '../../../ports/clock.js';
import type { PostgresDatabase } from './postgres-database.js';

/** What the stores of one project share. */
export interface ProjectContext {
  readonly database: PostgresDatabase;
  /** The name of the schema of the project; safe in SQL. */
  readonly schema: string;
  readonly projectPath: string;
  readonly clock: Clock;
}
