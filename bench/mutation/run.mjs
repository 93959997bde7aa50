/**
 * Changes the code in every way that a test should notice, one change at a time, and reports which ones no test
 * noticed. Run `npm run test:mutation -- domain`, or `app`, with files to change fewer:
 * `npm run test:mutation -- domain 'src/domain/ranking/*.ts'`. The results of unchanged code and tests are kept.
 */
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';

const SCOPES = {
  // What only use cases show of the domain, their tests notice.
  domain: {
    mutate: ['src/domain/**/*.ts'],
    tests: ['test/unit/domain', 'test/property', 'test/unit/app'],
  },
  app: {
    // Which classes are composed is shown by starting the service, in `test/rest`.
    mutate: ['src/app/**/*.ts', '!src/app/wiring/**'],
    tests: [
      'test/unit/app',
      'test/property/rate-limit',
      'test/adapter/sqlite/two-models',
      'test/adapter/files/session-collector',
      'test/adapter/http/hybrid',
    ],
  },
};

const [name = 'domain', ...files] = process.argv.slice(2);
const scope = SCOPES[name];
if (scope === undefined) throw new Error(`${name} is none of ${Object.keys(SCOPES).join(', ')}.`);
process.env['MUTATION_TESTS'] = scope.tests.join();
const results = `bench/results/mutation/${name}`;

await new Stryker({
  plugins: [fileURLToPath(new URL('runner.mjs', import.meta.url))],
  testRunner: 'in-process',
  mutate: files.length > 0 ? files : scope.mutate,
  ignorePatterns: ['dist', 'bench/results', 'docs', 'examples', 'deploy', 'vendor'],
  coverageAnalysis: 'perTest',
  // Constants and tables would need all tests to run again, each time.
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 30_000,
  incremental: true,
  incrementalFile: `${results}/incremental.json`,
  tempDirName: `${results}/tmp`,
  reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: `${results}/report.json` },
  htmlReporter: { fileName: `${results}/report.html` },
}).runMutationTest();
