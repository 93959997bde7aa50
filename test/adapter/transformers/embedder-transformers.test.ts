import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  cosineSimilarity,
  normalize,
  normalizedMean,
  type Vector,
} from '../../../src/domain/ranking/vector.js';
import { directoryOfRealModel, MODEL } from '../../support/running-service.js';
import { TINY_SPECIAL, tinyRow, tinyTokens, writeTinyModel } from '../../support/tiny-model.js';
import { useModels } from '../../support/tiny-model-embedder.js';

const models = useModels();

describe('vectors of the transformers embedder', () => {
  it('are the normalized mean over the tokens of a text, special ones included', async () => {
    await writeTinyModel(models.directory());
    const vector = await models.make().embed('apple disk zyx');
    expect(cosineSimilarity(vector, windowVector(tinyTokens('apple disk zyx')))).toBeCloseTo(1, 5);
  });

  it('of a long text average windows of 254 tokens with a stride of 127', async () => {
    await writeTinyModel(models.directory());
    const text = longText(600);
    const tokens = tinyTokens(text);
    // Starts 0, 127, 254; the window from 381 is the first that reaches the end.
    const windows = [0, 127, 254, 381].map((start) =>
      windowVector(tokens.slice(start, start + 254)),
    );
    const expected = normalizedMean(windows) as Vector;
    expect(cosineSimilarity(await models.make().embed(text), expected)).toBeCloseTo(1, 6);
  });

  it('count the first 100,000 characters of a text', async () => {
    await writeTinyModel(models.directory());
    const embedder = models.make();
    const start = 'forest  '.repeat(12_500);
    const vector = await embedder.embed(start + 'engine '.repeat(1_500_000));
    expect(vector).toEqual(await embedder.embed(start));
  });
});

const dataDir = directoryOfRealModel();
describe.skipIf(dataDir === undefined)(
  'the real weights (skipped without ../shared/models)',
  () => {
    it('agree with the vectors of reference.json at a cosine of .98', async () => {
      const directory = join(dataDir ?? '', 'models');
      const embedder = models.make({ modelsDirectory: directory, model: MODEL });
      const path = join(directory, 'reference.json');
      const { items } = JSON.parse(await readFile(path, 'utf8')) as Reference;
      expect(items).toHaveLength(20);
      for (const { text, vector } of items) {
        const cosine = cosineSimilarity(await embedder.embed(text), Float32Array.from(vector));
        expect(cosine, text.slice(0, 60)).toBeGreaterThanOrEqual(0.98);
      }
    });
  },
);

interface Reference {
  readonly items: readonly { readonly text: string; readonly vector: readonly number[] }[];
}

function windowVector(tokens: readonly number[]): Vector {
  const rows = [TINY_SPECIAL.first, ...tokens, TINY_SPECIAL.last].map(tinyRow);
  const sum = rows.reduce((total, row) => total.map((value, i) => value + (row[i] as number)));
  return normalize(sum) as Vector;
}

/** A text of this many words, with different words at its beginning, middle and end. */
function longText(words: number): string {
  const third = Math.ceil(words / 3);
  const at = (i: number) => ['apple', 'engine', 'forest'][Math.floor(i / third)];
  return Array.from({ length: words }, (_, i) => at(i)).join(' ');
}
