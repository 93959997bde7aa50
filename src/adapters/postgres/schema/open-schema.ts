import { KnowledgeError } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/driven/logger.js';
import type { PostgresDatabase } from '../connection/postgres-database.js';
import type { Session } from '../connection/session.js';
import { MIGRATIONS, SCHEMA_VERSION } from './project-schema.js';
import { findProject, lockUntilCommit, PROJECTS, type RegisteredProject } from './registry.js';

/**
 * Brings the schema of a project to the present version, and creates it on first use. If it was lost, it
 * is created again and marked, so that it is filled from the sources.
 * @throws KnowledgeError `schema_too_new`, `store_unavailable`, `storage_full`
 */
export async function openSchema(
  database: PostgresDatabase,
  schema: string,
  logger: Logger,
): Promise<void> {
  const known = await database.read((session) => findProject(session, schema));
  if (isReady(known)) return;
  await database.transaction(async (session) => {
    await lockUntilCommit(session, `${schema} schema`);
    const project = await findProject(session, schema);
    if (isReady(project)) return;
    if (project?.hasSchema === false) {
      logger.error('The schema of a project was missing; a new one is made and filled.', {
        schema,
      });
    }
    await migrate(session, schema, project);
  });
}

/** @throws KnowledgeError `schema_too_new` */
function isReady(project: RegisteredProject | undefined): boolean {
  if (project === undefined || !project.hasSchema) return false;
  if (project.version <= SCHEMA_VERSION) return project.version === SCHEMA_VERSION;
  throw new KnowledgeError(
    'schema_too_new',
    `The knowledge store has version ${project.version}, and this service knows versions up to ${SCHEMA_VERSION}; use a newer service.`,
  );
}

async function migrate(
  session: Session,
  schema: string,
  project: RegisteredProject | undefined,
): Promise<void> {
  const isNew = project === undefined || !project.hasSchema;
  if (isNew) await refuseForeignSchema(session, schema);
  for (const migration of MIGRATIONS.slice(isNew ? 0 : project.version))
    await session.execute(migration(schema));
  await session.query(
    `INSERT INTO ${PROJECTS} AS p (schema_name, version) VALUES ($1, $2)
     ON CONFLICT (schema_name) DO UPDATE SET version = excluded.version,
       refill_needed = p.refill_needed OR $3`,
    [schema, SCHEMA_VERSION, isNew],
  );
}

/** A schema of this name that no project is listed for is not ours. */
async function refuseForeignSchema(session: Session, schema: string): Promise<void> {
  const rows = await session.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length === 0) return;
  throw new KnowledgeError(
    'store_unavailable',
    `The database has a schema ${schema} that is not a knowledge store; rename or drop it.`,
  );
}
