import type { Clock } from '../../../ports/driven/clock.js';
import type { PostgresDatabase } from './postgres-database.js';
import type { Session, Work } from './session.js';

/** What the stores of one project share. */
export interface ProjectContext {
  readonly database: ProjectDatabase;
  /** The name of the schema of the project; safe in SQL. */
  readonly schema: string;
  readonly projectPath: string;
  readonly clock: Clock;
}

/** The database, for as long as a check says that the directory of a project still is that project. */
export class ProjectDatabase {
  readonly #database: PostgresDatabase;
  readonly #check: () => Promise<void>;

  /** @param check rejects where the directory has become another project, or is gone */
  constructor(database: PostgresDatabase, check: () => Promise<void>) {
    this.#database = database;
    this.#check = check;
  }

  read<T>(work: Work<T>): Promise<T> {
    return this.#database.read((session) => this.#checked(session, work));
  }

  /** The rows of one statement that only reads. */
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    return this.read((session) => session.query<Row>(sql, values));
  }

  /** The rows of one statement that writes, outside of a transaction. */
  write<Row extends object>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const work: Work<readonly Row[]> = (session) => session.query<Row>(sql, values);
    return this.#database.write((session) => this.#checked(session, work));
  }

  /** Also checks before the commit: what was read of the directory meanwhile may be another project's, or missing. */
  transaction<T>(work: Work<T>): Promise<T> {
    return this.#database.transaction(async (session) => {
      const result = await this.#checked(session, work);
      await this.#check();
      return result;
    });
  }

  longRunning(work: Work<void>): Promise<void> {
    return this.#database.longRunning((session) => this.#checked(session, work));
  }

  async #checked<T>(session: Session, work: Work<T>): Promise<T> {
    await this.#check();
    return work(session);
  }
}
