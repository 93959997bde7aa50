import { hostname } from 'node:os';
import { KnowledgeError } from '../../../domain/errors.js';
import type { PostgresDatabase } from './postgres-database.js';
import { isDuplicate, retry, sqlState } from './postgres-errors.js';
import { createSchema, SCHEMA_VERSION, schemaNamePrefix } from './project-schema.js';
import { lockUntilCommit, type Session } from './session.js';

/** A project that this or another release has opened in this database. */
interface RegisteredProject {
  /**
   * False if this release has no schema for the project, or the schema was dropped. It is then created, and marked to
   * be filled from the sources.
   */
  readonly hasSchema: boolean;
  /** Whether the schema must be filled from the sources. */
  readonly isRefillNeeded: boolean;
  /** The directory in which the project was last opened, keyed by host name. */
  readonly directories: Readonly<Record<string, string>>;
}

/** The table of all projects of a database. */
export const PROJECTS = 'knowledge_store.projects';

/**
 * Looks up a project; undefined if it was never opened here. Uses the entry of another release, with its directories,
 * until this release has its own.
 */
export async function findProject(
  session: Session,
  schema: string,
): Promise<RegisteredProject | undefined> {
  const [row] = await session.query<RegisteredProject>(
    `SELECT is_own AND to_regnamespace(schema_name) IS NOT NULL AS "hasSchema",
       refill_needed OR NOT is_own AS "isRefillNeeded", directories
     FROM (SELECT *, schema_name = $1 AS is_own FROM ${PROJECTS} WHERE starts_with(schema_name, $2)) known
     ORDER BY is_own DESC, version DESC LIMIT 1`,
    [schema, schemaNamePrefix(schema)],
  );
  return row;
}

/** Creates the shared objects of a database if they are missing. */
export async function prepareDatabase(database: PostgresDatabase): Promise<void> {
  const [found] = await database.read((session) =>
    session.query<{ readonly registry: boolean; readonly vector: boolean }>(
      `SELECT to_regclass('${PROJECTS}') IS NOT NULL AS registry,
         EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AS vector`,
    ),
  );
  const { registry = false, vector = false } = found ?? {};
  if (!vector) {
    await create(database, 'CREATE EXTENSION IF NOT EXISTS vector').catch((cause) => {
      if (!isNotInstallable(cause)) throw cause;
      throw new KnowledgeError('store_unavailable', NEEDS_VECTOR, { cause });
    });
  }
  if (!registry) await create(database, CREATE_REGISTRY);
}

/**
 * Creates objects that another session may be creating too. Retries, because a session may not yet see the other's
 * objects, even after waiting for the lock.
 */
function create(database: PostgresDatabase, statements: string): Promise<void> {
  return retry(2, isDuplicate, () =>
    database.transaction(async (session) => {
      await lockUntilCommit(session, 'database');
      await session.execute(statements);
    }),
  );
}

const CREATE_REGISTRY = `CREATE SCHEMA IF NOT EXISTS knowledge_store;
  CREATE TABLE IF NOT EXISTS ${PROJECTS} (
    schema_name text PRIMARY KEY,
    version integer NOT NULL,
    refill_needed boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    directories jsonb NOT NULL DEFAULT '{}'
  )`;
const NEEDS_VECTOR =
  'The PostgreSQL server of the knowledge store needs the extension "vector" (pgvector): install it, and create it in the database.';

function isNotInstallable(error: unknown): boolean {
  return /^(0A000|58P01|42501|42704)$/.test(sqlState(error));
}

/** The project to open. */
interface OpenedProject {
  readonly schema: string;
  readonly directory: string;
  /** Whether another directory of this machine has the project's key. */
  readonly hasKey: (directory: string) => Promise<boolean>;
}

/**
 * Creates the schema of a project on first use, or if it is missing. Returns whether a known project must be filled
 * from the sources.
 * @throws KnowledgeError `storage_full`; `store_unavailable`, also if the directory is a copy of another one on this
 *   machine that still has the same key
 */
export async function openSchema(
  database: PostgresDatabase,
  opened: OpenedProject,
): Promise<boolean> {
  const { schema, directory } = opened;
  const isDone = (project: RegisteredProject | undefined) =>
    project?.hasSchema === true && project.directories[HOST] === directory;
  const found = await database.read((session) => findProject(session, schema));
  if (isDone(found)) return isFilledAgain(found);
  return database.transaction(async (session) => {
    await lockUntilCommit(session, `${schema} schema`);
    const project = await findProject(session, schema);
    if (isDone(project)) return isFilledAgain(project);
    await refuseCopy(opened, project?.directories[HOST]);
    if (project?.hasSchema !== true) await createProject(session, schema, project);
    await session.query(
      `UPDATE ${PROJECTS} SET directories = directories || jsonb_build_object($2::text, $3::text)
       WHERE schema_name = $1`,
      [schema, HOST, directory],
    );
    return isFilledAgain(project);
  });
}

const HOST = hostname();

async function refuseCopy(
  { directory, hasKey }: OpenedProject,
  former: string | undefined,
): Promise<void> {
  if (former === undefined || former === directory || !(await hasKey(former))) return;
  throw new KnowledgeError(
    'store_unavailable',
    `The directory is a copy of ${former}, and both have the key of the same store; to give the copy its own store, delete the file "project-key" in its application directory.`,
  );
}

/**
 * Creates and registers the schema of this release. Those of other releases stay, since an instance of one may be using
 * them.
 */
async function createProject(
  session: Session,
  schema: string,
  project: RegisteredProject | undefined,
): Promise<void> {
  await refuseForeignSchema(session, schema);
  await session.execute(createSchema(schema));
  await session.query(
    `INSERT INTO ${PROJECTS} (schema_name, version, refill_needed, directories) VALUES ($1, $2, $3, $4)
     ON CONFLICT (schema_name) DO UPDATE SET refill_needed = true`,
    [schema, SCHEMA_VERSION, project !== undefined, project?.directories ?? {}],
  );
}

/** Whether a known project must be filled from the sources: its schema was missing, or was never filled since. */
function isFilledAgain(project: RegisteredProject | undefined): boolean {
  return project !== undefined && (project.isRefillNeeded || !project.hasSchema);
}

/** Refuses a schema of this name that is not registered, because it is not ours. */
async function refuseForeignSchema(session: Session, schema: string): Promise<void> {
  const rows = await session.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length === 0) return;
  throw new KnowledgeError(
    'store_unavailable',
    `The database has a schema ${schema} that is not a knowledge store; rename or drop it.`,
  );
}
