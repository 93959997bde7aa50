import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startTests } from '@vitest/runner';
import { LARGE } from './tests.mjs';

/** Stryker's codes of test results. */
const [PASSED, FAILED, SKIPPED] = [0, 1, 2];

export const hasFailed = ({ status }) => status === FAILED;

let runs = 0;

/**
 * Runs a compiled test file until a test fails.
 * @param ids ids of the tests to run; undefined for all
 * @param onTest called with the id of each test that begins, and with undefined when it ends
 */
export async function runTestFile({ test, path }, { ids, onTest = () => undefined }) {
  const results = [];
  const isWanted = (task) => !LARGE.test(nameOf(task)) && (ids?.includes(idOf(test, task)) ?? true);
  runs += 1;
  const [file] = await startTests([test], {
    config: CONFIG,
    importFile: () => import(`${pathToFileURL(path).href}?run=${runs}`),
    onBeforeRunTask(task) {
      if (results.some(hasFailed) || !isWanted(task)) task.mode = 'skip';
      else onTest(idOf(test, task));
    },
    onAfterRunTask(task) {
      onTest(undefined);
      results.push(resultOf(test, task));
    },
  });
  const failed = [file, ...file.tasks].find(({ result }) => result?.state === 'fail');
  if (failed && !results.some(hasFailed)) results.push(resultOf(test, failed));
  return results;
}

const CONFIG = {
  root: process.cwd(),
  name: '',
  setupFiles: [],
  sequence: { hooks: 'stack', setupFiles: 'list', shuffle: false },
  maxConcurrency: 1,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  tags: [],
  passWithNoTests: true,
};

const idOf = (file, task) => `${file}#${task.id}`;
export const fileOf = (id) => id.split('#')[0];

function resultOf(file, task) {
  const { state, duration: timeSpentMs = 0, errors = [] } = task.result ?? {};
  const [id, name, fileName] = [idOf(file, task), `${file}: ${nameOf(task)}`, resolve(file)];
  const result = { id, name, fileName, timeSpentMs };
  if (state === 'pass') return { ...result, status: PASSED };
  if (state !== 'fail') return { ...result, status: SKIPPED };
  return { ...result, status: FAILED, failureMessage: errors[0]?.message ?? 'failed' };
}

const nameOf = ({ suite, name }) => (suite ? `${nameOf(suite)} > ${name}` : name);
