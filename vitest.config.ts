import { defineConfig } from 'vitest/config';

interface ProjectOptions {
  readonly testTimeout: number;
  readonly hookTimeout?: number;
  readonly isolate?: boolean;
  readonly include?: string[];
  readonly setupFiles?: string[];
}

/** Files that start many processes, load a model often or run generated input for long: `npm run test:slow`, and left out of the check. */
const SLOW = [
  'adapter/fetch/hostile-pages',
  'adapter/fetch/pages',
  'adapter/postgres/failover',
  'adapter/postgres/pglite',
  'adapter/sqlite/adoption',
  'adapter/sqlite/planted-files',
  'adapter/sqlite/unseen-databases',
  'adapter/transformers/embedder-life',
  'adapter/transformers/embedder-process',
  'adapter/transformers/embedder-transformers',
  'adapter/transformers/local-reranker',
  'adapter/transformers/model-download-failures',
  'adapter/transformers/model-families',
  'adapter/transformers/native-runtime',
  'browser/console',
  'browser/console-notes',
  'contract/embedder',
  'contract/stores-on-postgres',
  'property/mcp-answers',
  'rest/documented-commands',
  'rest/examples',
  'rest/first-question',
  'rest/without-indexing',
  'rest/local-service',
  'rest/process',
  'rest/session-hooks',
  'rest/specified-ranking',
  'rest/surroundings',
  'rest/workers',
  'rest/worktrees',
  'unit/regular-expressions',
].map((name) => `test/${name}.test.ts`);

const { KNOWLEDGE_TEST_SPEED } = process.env;

/** The files of a kind that this run has: all of them, unless it wants the quick or the slow ones. */
function filesOf(kind: string): { readonly include: string[]; readonly exclude?: string[] } {
  const all = `test/${kind}/**/*.test.ts`;
  if (KNOWLEDGE_TEST_SPEED === 'quick') return { include: [all], exclude: SLOW };
  if (KNOWLEDGE_TEST_SPEED !== 'slow') return { include: [all] };
  return { include: SLOW.filter((file) => file.startsWith(`test/${kind}/`)) };
}

/**
 * Kinds of tests. All but `rest`, which starts services, share their modules between files: to read them again for each file
 * takes longer than most tests. `dist` is built before they run, because worker threads and `npm start` need it.
 */
const project = (name: string, options: ProjectOptions) => ({
  test: {
    name,
    ...filesOf(name),
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
  ...(hasPostgres && KNOWLEDGE_TEST_SPEED !== 'slow' ? [onPostgres(['bodies', 'search'])] : []),
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
  ...(hasPostgres ? [onPostgres(['projects-story', 'real-project', 'superseded-notes'])] : []),
];

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    maxWorkers: 2,
    projects: KNOWLEDGE_TEST_LONG === '1' ? LONG_PROJECTS : PROJECTS,
  },
});
