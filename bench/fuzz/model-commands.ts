import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import type { PlainModel } from './plain-model.js';
import type { SystemUnderTest } from './system-under-test.js';

const FEATURES = ['f1', 'f2', 'f3'];
const WORDS = ['tapir', 'okapi', 'quetzal', 'walrus', 'lemur', 'gecko', 'ibex', 'heron'];
const DAY_MS = 24 * 3600 * 1000;

type Command = fc.AsyncCommand<PlainModel, SystemUnderTest>;

/** A step: does the same to the model and to the real system, and compares the results. */
type Step = (model: PlainModel, real: SystemUnderTest) => Promise<void>;

/** Generates sequences of up to 50 commands, and counts the steps that run. */
export function commandsOf(steps: { count: number }) {
  const command = (name: string, step: Step): Command => ({
    check: () => true,
    toString: () => name,
    run: async (model, real) => {
      steps.count += 1;
      await step(model, real);
      await compareAll(model, real);
    },
  });
  const feature = fc.constantFrom(...FEATURES);
  const word = fc.constantFrom(...WORDS);
  const words = fc.uniqueArray(word, { maxLength: 5 });
  return fc.commands(
    [
      fc
        .tuple(feature, words)
        .map(([name, list]) => command(`edit ${name} to ${list.join(' ')}`, edit(name, list))),
      feature.map((name) => command(`delete ${name}`, deleteFile(name))),
      fc.constant(command('ingest', ingest)),
      word.map((each) => command(`search ${each}`, search(each))),
      fc.constantFrom(1, 45, 90).map((days) => command(`${days} days pass`, pass(days))),
      fc.constant(command('prune', prune)),
      fc.constant(command('rebuild', (_, real) => real.rebuild())),
      fc.constant(command('restart', (_, real) => real.restart())),
    ],
    { maxCommands: 50, size: 'max' },
  );
}

function edit(feature: string, words: readonly string[]): Step {
  return async (model, real) => {
    model.files.set(feature, words);
    const text = words.map((word) => `## About ${feature}\n\n${word}\n`).join('\n');
    real.files.set(pathOf(feature), text);
  };
}

function deleteFile(feature: string): Step {
  return async (model, real) => {
    model.files.delete(feature);
    real.files.delete(pathOf(feature));
  };
}

const ingest: Step = async (model, real) => {
  deepStrictEqual(await real.ingest(), model.ingest(real.now));
};

function search(word: string): Step {
  return async (model, real) => {
    deepStrictEqual((await real.search(word)).toSorted(), model.search(word).toSorted());
  };
}

function pass(days: number): Step {
  return async (_, real) => real.pass(days * DAY_MS);
}

/** Advances the clock first, since a chunk written at the moment of pruning would stay. */
const prune: Step = async (model, real) => {
  real.pass(1);
  deepStrictEqual((await real.prune()).toSorted(), model.prune(real.now).toSorted());
};

/** Compares all chunks, and the counts of stats. */
async function compareAll(model: PlainModel, real: SystemUnderTest): Promise<void> {
  const { totalChunks, uniqueSources } = await real.store.chunks.stats();
  const sources = new Set(model.chunks.map(({ feature }) => feature));
  deepStrictEqual([totalChunks, uniqueSources], [model.chunks.length, sources.size]);
  const stored = await real.store.chunks.getChunks(model.chunks.map(({ id }) => id));
  deepStrictEqual(
    stored.map(({ id, content, createdAt }) => [id, content, Date.parse(createdAt)]),
    model.chunks.map(({ id, word, createdAt }) => [id, word, createdAt]),
  );
}

function pathOf(feature: string): string {
  return `.knowledge/features/${feature}/reflection.md`;
}
