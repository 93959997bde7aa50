import { KnowledgeError } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/driven/logger.js';
import type { PostgresDatabase } from '../connection/postgres-database.js';
import { codeOf, isDuplicate } from '../connection/postgres-errors.js';
import type { Session } from '../connection/session.js';

/** A project that has a schema in this database. */
export interface RegisteredProject {
  readonly version: number;
  /** False if the schema was lost: nothing but this counts as damage. */
  readonly hasSchema: boolean;
}

/** The table of all projects of a database. */
export const PROJECTS = 'knowledge_store.projects';

/** Undefined for a project that was never opened here. */
export async function findProject(
  session: Session,
  schema: string,
): Promise<RegisteredProject | undefined> {
  const [row] = await session.query<{ readonly version: number; readonly hasSchema: boolean }>(
    `SELECT version, to_regnamespace(schema_name) IS NOT NULL AS "hasSchema"
     FROM ${PROJECTS} WHERE schema_name = $1`,
    [schema],
  );
  return row;
}

/** Creates what the projects of a database share, unless it is there. */
export async function prepareDatabase(database: PostgresDatabase, logger: Logger): Promise<void> {
  const [found] = await database.read((session) =>
    session.query<{ readonly registry: boolean; readonly vector: boolean }>(
      `SELECT to_regclass('${PROJECTS}') IS NOT NULL AS registry,
         EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'vector') AS vector`,
    ),
  );
  if (!found?.vector) await again(() => createVectorExtension(database));
  if (!found?.registry) await again(() => createRegistry(database));
  await createRankingExtension(database, logger);
}

/** Takes a lock until the end of the transaction; only one session has a lock of this name. */
export async function lockUntilCommit(session: Session, name: string): Promise<void> {
  await session.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `knowledge_store ${name}`,
  ]);
}

/**
 * Once more if another process has created the same at the same time: a session may not see that yet, even
 * after it has waited for the lock.
 */
async function again(create: () => Promise<void>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    await create();
  }
}

async function createVectorExtension(database: PostgresDatabase): Promise<void> {
  try {
    await database.transaction(async (session) => {
      await lockUntilCommit(session, 'extensions');
      await session.execute('CREATE EXTENSION IF NOT EXISTS vector');
    });
  } catch (cause) {
    if (!isNotInstallable(cause)) throw cause;
    throw new KnowledgeError(
      'store_unavailable',
      'The PostgreSQL server of the knowledge store needs the extension "vector" (pgvector): install it, and create it in the database.',
      { cause },
    );
  }
}

async function createRegistry(database: PostgresDatabase): Promise<void> {
  await database.transaction(async (session) => {
    await lockUntilCommit(session, 'registry');
    await session.execute(
      `CREATE SCHEMA IF NOT EXISTS knowledge_store;
       CREATE TABLE IF NOT EXISTS ${PROJECTS} (
         schema_name text PRIMARY KEY,
         version integer NOT NULL,
         refill_needed boolean NOT NULL DEFAULT false,
         created_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
  });
}

/** Without it the ranking in plain SQL is used, also for large projects. */
async function createRankingExtension(database: PostgresDatabase, logger: Logger): Promise<void> {
  try {
    await database.transaction(async (session) => {
      await lockUntilCommit(session, 'extensions');
      await session.execute('CREATE EXTENSION IF NOT EXISTS pg_textsearch');
    });
  } catch (error) {
    logger.info('PostgreSQL has no pg_textsearch; keyword searches of large projects are slower.', {
      reason: codeOf(error),
    });
  }
}

function isNotInstallable(error: unknown): boolean {
  return /^(0A000|58P01|42501|42704)$/.test(codeOf(error));
}
