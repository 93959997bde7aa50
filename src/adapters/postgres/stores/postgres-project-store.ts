import { randomUUID } from 'node:crypto';
import type { Leases, ProjectStore, StoreMaintenance } from '../../../ports/project-stores.js';
import { CONTENT_TEXTS, PostgresQuestionStore, QUESTION_TEXTS } from '../chunks/embedded-texts.js';
import { PostgresChunkImport } from '../chunks/postgres-chunk-import.js';
import { PostgresCitations } from '../chunks/postgres-citations.js';
import { PostgresRetrievalLog } from '../chunks/postgres-retrieval-log.js';
import { PostgresSourceRepository } from '../chunks/postgres-source-repository.js';
import type { ProjectContext } from '../database/project-context.js';
import { PROJECTS } from '../database/registry.js';
import { PostgresKeywordIndex } from '../keyword/postgres-keyword-index.js';
import { PostgresHeaders } from '../vectors/postgres-headers.js';
import { PostgresVectorIndex } from '../vectors/postgres-vector-index.js';

export interface ProjectStoreOptions {
  /** As the store says it. */
  readonly location: string;
  /** The embedding model whose vectors count. */
  readonly model: string;
  /** Values of a vector of that model. */
  readonly dimensions: number;
  /** The present time of leases as an SQL expression. */
  readonly leaseTime?: (() => string) | undefined;
}

/** Everything stored for one project, over its schema. */
export function createProjectStore(
  project: ProjectContext,
  options: ProjectStoreOptions,
): ProjectStore {
  const { location, model, dimensions, leaseTime } = options;
  const vectors = new PostgresVectorIndex(project, { model, dimensions, kind: CONTENT_TEXTS });
  const questionVectors = new PostgresVectorIndex(project, {
    ...{ model, dimensions },
    kind: QUESTION_TEXTS,
  });
  return {
    location,
    chunks: new PostgresSourceRepository(project),
    keywords: new PostgresKeywordIndex(project),
    retrievals: new PostgresRetrievalLog(project),
    questions: new PostgresQuestionStore(project),
    citations: new PostgresCitations(project),
    vectors,
    headers: new PostgresHeaders(project, { model, dimensions }),
    questionVectors,
    comparisonProblem: async () => undefined,
    leases: new PostgresLeases(project, leaseTime),
    imports: new PostgresChunkImport(project, { model, vectors, questionVectors }),
    maintenance: maintenanceOf(project),
  };
}

/**
 * Leases as rows, by the clock of the server, so that instances on several machines agree on them. The
 * lease of a process that died is free when it has expired.
 */
class PostgresLeases implements Leases {
  readonly #project: ProjectContext;
  /** The present time as an SQL expression. */
  readonly #now: () => string;
  readonly #holder = randomUUID();

  constructor(project: ProjectContext, now: () => string = () => 'clock_timestamp()') {
    this.#project = project;
    this.#now = now;
  }

  async acquire(name: string, durationMs: number): Promise<boolean> {
    const { database, schema } = this.#project;
    const rows = await database.write(
      `INSERT INTO ${schema}.leases AS l (name, holder, expires_at)
         SELECT $1, $2, n.now + $3::float8 * interval '1 millisecond' FROM (SELECT ${this.#now()} AS now) n
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
         WHERE l.holder = $2 OR l.expires_at <= ${this.#now()} OR l.expires_at > excluded.expires_at
         RETURNING name`,
      [name, this.#holder, durationMs],
    );
    return rows.length > 0;
  }

  async isHeld(name: string, durationMs: number): Promise<boolean> {
    const { database, schema } = this.#project;
    const rows = await database.rows(
      `SELECT 1 FROM ${schema}.leases, (SELECT ${this.#now()} AS now) n WHERE name = $1
         AND expires_at > n.now AND expires_at <= n.now + $2::float8 * interval '1 millisecond'`,
      [name, durationMs],
    );
    return rows.length > 0;
  }

  async release(name: string): Promise<void> {
    const { database, schema } = this.#project;
    const sql = `DELETE FROM ${schema}.leases WHERE name = $1 AND holder = $2`;
    await database.write(sql, [name, this.#holder]);
  }
}

/**
 * The server checks and repairs its own files. In the table of projects it is noted when the schema of a project was missing.
 */
function maintenanceOf({ database, schema }: ProjectContext): StoreMaintenance {
  return {
    examine: async () => [],
    repair: async () => [],
    needsReindexing: async () => {
      const sql = `SELECT 1 FROM ${PROJECTS} WHERE schema_name = $1 AND refill_needed`;
      return (await database.rows(sql, [schema])).length > 0;
    },
    reindexed: async () => {
      const sql = `UPDATE ${PROJECTS} SET refill_needed = false WHERE schema_name = $1`;
      await database.write(sql, [schema]);
    },
  };
}
