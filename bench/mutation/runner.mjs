import { cp } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { bundle } from './bundle.mjs';
import { fileOf, hasFailed, runTestFile } from './test-file.mjs';
import { testsIn } from './tests.mjs';

globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {};
/** The state that the instrumented code reads and writes. */
const stryker = globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE];

/** Runs the tests in this process. That takes milliseconds per mutant; a vitest worker would take seconds. */
class InProcessRunner {
  #tests = [];
  #durations = new Map();
  #outdir = resolve('bundle-0');
  #reloads = 0;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    process.env['FC_SEED'] ??= '20261122';
    process.env['FC_MAX_RUNS'] ??= '50';
    // Work that one mutant left behind must not fail the next one.
    process.on('unhandledRejection', () => undefined);
    const tests = await testsIn(process.env['MUTATION_TESTS'].split(','));
    this.#tests = await bundle({ tests, outdir: this.#outdir });
  }

  /** Runs the tests that use one of the files. */
  async dryRun({ files }) {
    const onTest = (id) => {
      stryker.currentTestId = id;
    };
    const tests = [];
    for (const file of new Set(files.flatMap((source) => this.#testsOf(source)))) {
      const start = performance.now();
      tests.push(...(await runTestFile(file, { onTest })));
      this.#durations.set(file.test, performance.now() - start);
    }
    return { status: 'complete', tests, mutantCoverage: stryker.mutantCoverage };
  }

  async mutantRun({ testFilter: ids, activeMutant, hitLimit, mutantActivation, sandboxFileName }) {
    Object.assign(stryker, { hitLimit, hitCount: 0 });
    if (mutantActivation === 'static') await this.#reload();
    let nrOfTests = 0;
    for (const { test } of this.#quickestFirst(ids, sandboxFileName)) {
      const results = await this.#runWith(activeMutant.id, test, ids);
      nrOfTests += results.length;
      if (stryker.hitCount > hitLimit) return { status: 'timeout', reason: 'hit limit' };
      const failed = results.find(hasFailed);
      if (failed && (await this.#isDueTo(activeMutant.id, test, failed.id))) {
        return {
          status: 'killed',
          killedBy: [failed.id],
          failureMessage: failed.failureMessage,
          nrOfTests,
        };
      }
    }
    return { status: 'survived', nrOfTests };
  }

  /**
   * Whether a test fails because of the mutant. If it also fails without the mutant, an earlier one has left something
   * behind.
   */
  async #isDueTo(mutant, test, id) {
    if (!(await this.#runWith(undefined, test, [id])).some(hasFailed)) return true;
    await this.#reload();
    return (await this.#runWith(mutant, test, [id])).some(hasFailed);
  }

  async #runWith(mutant, test, ids) {
    stryker.activeMutant = mutant;
    const file = this.#tests.find((one) => one.test === test);
    const results = await runTestFile(file, { ids });
    stryker.activeMutant = undefined;
    return results;
  }

  #quickestFirst(ids, source) {
    const wanted = ids && new Set(ids.map(fileOf));
    const tests = wanted
      ? this.#tests.filter(({ test }) => wanted.has(test))
      : this.#testsOf(source);
    const duration = ({ test }) => this.#durations.get(test) ?? 0;
    return tests.toSorted((a, b) => duration(a) - duration(b));
  }

  #testsOf(source) {
    const path = relative(process.cwd(), source);
    return this.#tests.filter(({ sources }) => sources.has(path));
  }

  /** Makes the next test load the sources again, for code that runs at import. */
  async #reload() {
    this.#reloads += 1;
    const [from, to] = [this.#outdir, resolve(`bundle-${this.#reloads}`)];
    await cp(from, to, { recursive: true });
    this.#tests = this.#tests.map((one) => ({ ...one, path: one.path.replace(from, to) }));
    this.#outdir = to;
  }
}

const create = () => new InProcessRunner();
export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'in-process', create)];
