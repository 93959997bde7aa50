import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type Row, runAsked } from '../runner.js';
import type { FuzzFamily } from './family.js';
import { hostileProjects } from './hostile-projects.js';
import { http } from './http.js';
import { model, modelOnPostgres } from './model.js';
import { queries } from './queries.js';

/**
 * Runs generated input against the real service and parts of it; see bench/README.md.
 *
 *   npm run test:fuzz -- [http|queries|hostile|model|model-postgres …] [--runs N] [--seed S]
 */
const FAMILIES: readonly FuzzFamily[] = [http, queries, hostileProjects, model, modelOnPostgres];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
process.stdout.write(`seed ${values.seed}\n`);
await runAsked(
  Object.fromEntries(FAMILIES.map((family) => [family.name, async () => [await rowOf(family)]])),
  positionals,
);

async function rowOf({ name, title, defaultRuns, ...family }: FuzzFamily): Promise<Row> {
  const options = {
    runs: Number(values.runs ?? defaultRuns),
    seed: Number(values.seed),
  };
  const begin = performance.now();
  const failure = await failureOf(async () => {
    for (const note of await family.run(options)) process.stdout.write(`${name}: ${note}\n`);
  });
  const seconds = Math.round((performance.now() - begin) / 100) / 10;
  if (failure !== undefined) process.stdout.write(`${name}: ${failure}\n`);
  const seen = await failureOf(() => family.negativeControl(options));
  process.stdout.write(`${name}: negative control: ${seen?.split('\n').at(-1) ?? 'saw nothing'}\n`);
  return {
    name,
    isGood: failure === undefined && seen !== undefined,
    cells: {
      title,
      runs: options.runs,
      result: failure === undefined ? 'ok' : 'FAILED',
      seconds,
      'control failed': seen === undefined ? 'NO' : 'yes',
    },
  };
}

async function failureOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const cause = error instanceof Error && error.cause ? `\n${String(error.cause)}` : '';
    return `${error instanceof Error ? error.message : String(error)}${cause}`;
  }
}
