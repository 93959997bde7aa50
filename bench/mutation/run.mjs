/**
 * Makes every change to the code that a test should notice, one at a time, and reports the changes that no test
 * noticed. Run `npm run test:mutation -- domain`, or `app`. To change fewer files, name them:
 * `npm run test:mutation -- domain 'src/domain/ranking/*.ts'`. The results of unchanged code and tests are kept.
 */
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';

const SCOPES = {
  // Some of the domain's behaviour only shows in use cases, so their tests run too.
  domain: {
    mutate: ['src/domain/**/*.ts'],
    tests: ['test/unit/domain', 'test/property', 'test/unit/app'],
  },
  app: {
    // Only starting the service, in `test/rest`, shows which classes are composed.
    mutate: ['src/app/**/*.ts', '!src/app/wiring/**'],
    tests: [
      'test/unit/app',
      'test/property/rate-limit',
      'test/adapter/sqlite/two-models',
      'test/adapter/files/session-collector',
      'test/adapter/http/hybrid',
      'test/contract/stores.test',
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
  // Each change to a constant or table would require running all tests again.
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
