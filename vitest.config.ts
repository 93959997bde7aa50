import { defineConfig } from 'vitest/config';

/**
 * Five kinds of tests. Those that keep nothing outside of a test share their modules, which saves a third of
 * their time. `dist` is built before they run, because worker threads and `npm start` need it.
 */
const project = (name: string, options: { testTimeout: number; isolate?: boolean }) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    hookTimeout: 60_000,
    ...options,
  },
});

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    maxWorkers: 2,
    projects: [
      project('unit', { testTimeout: 10_000, isolate: false }),
      project('contract', { testTimeout: 60_000, isolate: false }),
      project('adapter', { testTimeout: 60_000 }),
      project('rest', { testTimeout: 60_000 }),
      project('property', { testTimeout: 60_000, isolate: false }),
    ],
  },
});
