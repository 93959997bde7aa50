/**
 * URL of the PostgreSQL server for this run, which has several sessions, unlike PGlite. Empty if there is none
 * (CONTRIBUTING.md, "Tests"). Tests may create and drop schemas in its database.
 */
export const { KNOWLEDGE_TEST_POSTGRES: SERVER_URL = '' } = process.env;

/** Folder with the programs of a server, for tests that stop a server of their own. Empty if there is none. */
export const { KNOWLEDGE_TEST_POSTGRES_BIN: SERVER_BIN = '' } = process.env;

export const hasServer = SERVER_URL !== '';
export const hasServerPrograms = SERVER_BIN !== '';

/** Whether this is `npm run test:long`. */
export const isLongRun = process.env['KNOWLEDGE_TEST_LONG'] === '1';

/** To be added to the name of a test that needs a server. */
export const NEEDS_SERVER = '(skipped without KNOWLEDGE_TEST_POSTGRES)';
export const NEEDS_PROGRAMS = '(skipped without KNOWLEDGE_TEST_POSTGRES_BIN)';
