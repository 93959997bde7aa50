/**
 * The PostgreSQL server of this run of the tests, with several sessions, which PGlite lacks; empty where there
 * is none, as CONTRIBUTING.md, "Tests" says. Schemas may be created and dropped in its database.
 */
export const { KNOWLEDGE_TEST_POSTGRES: SERVER_URL = '' } = process.env;

/** The folder of the programs of a server, for tests that stop their own one; empty where there is none. */
export const { KNOWLEDGE_TEST_POSTGRES_BIN: SERVER_BIN = '' } = process.env;

export const hasServer = SERVER_URL !== '';
export const hasServerPrograms = SERVER_BIN !== '';

/** Whether this is `npm run test:long`. */
export const isLongRun = process.env['KNOWLEDGE_TEST_LONG'] === '1';

/** Belongs into the names of what needs a server. */
export const NEEDS_SERVER = '(skipped without KNOWLEDGE_TEST_POSTGRES)';
export const NEEDS_PROGRAMS = '(skipped without KNOWLEDGE_TEST_POSTGRES_BIN)';
