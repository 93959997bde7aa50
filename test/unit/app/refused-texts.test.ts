import { describe, expect, it } from 'vitest';
import {
  countVectors,
  embedWithoutRefused,
  RefusedTexts,
} from '../../../src/app/enrichment/refused-texts.js';
import { KnowledgeError } from '../../../src/domain/errors.js';
import { TRIAL_TEXT } from '../../../src/ports/embedder.js';
import type { DerivedFrom } from '../../../src/ports/vector-index.js';

const text = (id: string): DerivedFrom => ({ id, texts: [`text of ${id}`] });

/** Embeds texts with a model that refuses some of them, this often, and says which calls were made. */
async function embed(ids: readonly string[], refusals: Readonly<Record<string, number>>) {
  const left = new Map(Object.entries(refusals));
  const calls: (readonly string[])[] = [];
  const embedBatch = async (texts: readonly string[]) => {
    calls.push(texts);
    return [];
  };
  const refused = await embedWithoutRefused(
    ids.map(text),
    async (batch) => {
      calls.push(batch.map(({ id }) => id));
      const culprit = batch.find(({ id }) => (left.get(id) ?? 0) > 0)?.id;
      if (culprit === undefined) return;
      left.set(culprit, (left.get(culprit) ?? 0) - 1);
      throw new Error(`${culprit} is too long`);
    },
    { embedBatch },
  );
  return { refused, calls };
}

describe('a batch of texts', () => {
  it('is embedded by one call if the model accepts it', async () => {
    expect(await embed(['a', 'b', 'c'], {})).toEqual({ refused: [], calls: [['a', 'b', 'c']] });
  });

  it('is halved until the refused texts are found, each of which is tried again', async () => {
    const { refused, calls } = await embed(['a', 'b', 'c'], { b: 9 });
    expect(refused).toEqual([[text('b'), 'b is too long']]);
    expect(calls).toEqual([['a', 'b', 'c'], ['a', 'b'], ['a'], ['b'], [TRIAL_TEXT], ['b'], ['c']]);
  });

  it('has no refused text if the model only failed for a moment', async () => {
    const { refused, calls } = await embed(['a'], { a: 1 });
    expect([refused, calls]).toEqual([[], [['a'], [TRIAL_TEXT], ['a']]]);
  });

  it.each([
    ['internal', 1],
    ['model_unavailable', undefined],
  ] as const)('is refused by an error with the code %s: %j', async (code, count) => {
    const failing = async () => {
      throw new KnowledgeError(code, 'No.');
    };
    const embedding = embedWithoutRefused([text('a')], failing, { embedBatch: async () => [] });
    if (count === undefined) await expect(embedding).rejects.toMatchObject({ code });
    else expect(await embedding).toHaveLength(count);
  });
});

describe('refused texts', () => {
  it('are known by their place and their texts', () => {
    const refused = new RefusedTexts();
    refused.add('content', { id: 'a', texts: ['b', 'c'] }, 'too long');
    expect(refused.has({ id: 'a', texts: ['b', 'c'] })).toBe(true);
    expect(refused.has({ id: 'ab', texts: ['c'] })).toBe(false);
    expect(refused.has({ id: 'a', texts: ['bc'] })).toBe(false);
    expect(refused.list()).toEqual([{ kind: 'content', id: 'a', reason: 'too long' }]);
  });

  it('are forgotten once they no longer wait', () => {
    const refused = new RefusedTexts();
    refused.add('content', text('a'), 'too long');
    refused.add('content', text('b'), 'too long');
    refused.add('headers', text('c'), 'too long');
    refused.keepPending('content', [text('b')]);
    expect(refused.list().map(({ id }) => id)).toEqual(['b', 'c']);
    expect(refused.headers).toEqual(['c']);
  });
});

describe('vectors that are missing', () => {
  const count = async (kind: 'content' | 'questions', state: 'ready' | 'absent') => {
    const [embeddings, hype] = [new RefusedTexts(), new RefusedTexts()];
    embeddings.add('content', text('a'), 'too long');
    embeddings.add('content', text('b'), 'too long');
    embeddings.add('headers', text('docs/c.md'), 'too long');
    hype.add('questionTexts', text('d'), 'too long');
    const asked: unknown[] = [];
    const status = async (...args: unknown[]) => {
      asked.push(args);
      return { complete: 7, pending: 5 };
    };
    const store = { vectors: { status } } as never;
    const embedder = { status: () => ({ state }) };
    return [
      await countVectors({ store, refusals: { embeddings, hype } }, kind, embedder),
      ...asked,
    ];
  };

  it.each([
    ['content', 'ready', 3, ['content', ['docs/c.md']]],
    ['content', 'absent', 3, ['stored', ['docs/c.md']]],
    ['questions', 'ready', 4, ['questions', []]],
    ['questions', 'absent', 4, ['questions', []]],
  ] as const)(
    'are counted without refused texts: %s, model %s',
    async (kind, state, pending, asked) => {
      expect(await count(kind, state)).toEqual([{ complete: 7, pending }, asked]);
    },
  );
});
