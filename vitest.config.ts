import { defineConfig } from 'vitest/config';

interface ProjectOptions {
  readonly testTimeout: number;
  readonly hookTimeout?: number;
  readonly isolate?: boolean;
  readonly include?: string[];
  readonly setupFiles?: string[];
}

/**
 * Kinds of tests. All but `rest`, which starts services, share their modules between files: to read them again for each file
 * takes longer than most tests. `dist` is built before they run, because worker threads and `npm start` need it.
 */
const project = (name: string, options: ProjectOptions) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    hookTimeout: 60_000,
    ...options,
  },
});

/** What `test/rest` shows of the service as a whole, once more on PostgreSQL where the run has a server. */
const onPostgres = (names: readonly string[]) =>
  project('rest-on-postgres', {
    testTimeout: 60_000,
    include: names.map((name) => `test/rest/${name}.test.ts`),
    setupFiles: ['test/support/rest-on-postgres.ts'],
  });
const { KNOWLEDGE_TEST_POSTGRES, KNOWLEDGE_TEST_POSTGRES_BIN, KNOWLEDGE_TEST_LONG } = process.env;
const hasPostgres = Boolean(KNOWLEDGE_TEST_POSTGRES || KNOWLEDGE_TEST_POSTGRES_BIN);

const PROJECTS = [
  project('unit', { testTimeout: 30_000, isolate: false }),
  project('contract', { testTimeout: 60_000, isolate: false }),
  project('adapter', { testTimeout: 60_000, isolate: false }),
  project('rest', { testTimeout: 60_000 }),
  project('browser', { testTimeout: 60_000, hookTimeout: 300_000 }),
  project('property', { testTimeout: 60_000, isolate: false }),
  ...(hasPostgres ? [onPostgres(['bodies', 'search'])] : []),
];

/** What is long by nature; the projects above have short forms of it. */
const LONG_PROJECTS = [
  project('long', {
    testTimeout: 120_000,
    include: [
      'test/long/**/*.test.ts',
      'test/rest/quality-gate.test.ts',
      'test/contract/stores-on-postgres.test.ts',
    ],
  }),
  ...(hasPostgres ? [onPostgres(['projects-story', 'real-project', 'superseded-story'])] : []),
];

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    maxWorkers: 2,
    projects: KNOWLEDGE_TEST_LONG === '1' ? LONG_PROJECTS : PROJECTS,
  },
});
