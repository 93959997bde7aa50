import { defineConfig } from 'vitest/config';

/**
 * Five kinds of tests. Those that keep nothing outside of a test share their modules, which saves a third of
 * their time. `dist` is built before they run, because worker threads and `npm start` need it.
 */
const project = (name: string, testTimeout: number, isolate = true) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: 60_000,
    isolate,
  },
});

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    maxWorkers: 2,
    projects: [
      project('unit', 10_000, false),
      project('contract', 60_000, false),
      project('adapter', 60_000),
      project('rest', 60_000),
      project('property', 60_000, false),
    ],
  },
});
