import { describe, expect, it } from 'vitest';
import { ModelCallError } from '../../../src/domain/errors.js';
import type { QueryRewriter } from '../../../src/ports/language-model.js';
import { makeRetrievalWorld } from '../../support/retrieval-world.js';

const QUESTION = 'why are people logged out';

describe('a search that may be put in other words', () => {
  it('asks the language model once if the answer is weak, and says so', async () => {
    const { read, asked, world } = await scene(async () => 'session token expiry');
    const answer = await read({ rewrite: true });
    expect(asked).toEqual([QUESTION]);
    expect(answer.results.map(({ chunk }) => chunk.sourceFile)).toContain('sessions.md');
    expect(answer.explanation.notes).toContainEqual({
      code: 'rewritten',
      sentence: expect.stringContaining('session token expiry'),
    });
    expect(world.row('sessions.md')).toMatchObject({ retrievalCount: 1 });
  });

  it.each([{}, { rewrite: false }, { rewrite: true, also: 'session token' }])(
    'does not with %j',
    async (fields) => {
      const { read, asked } = await scene(async () => 'session token expiry');
      const { explanation } = await read(fields);
      expect(asked).toEqual([]);
      expect(explanation.notes.map(({ code }) => code)).not.toContain('rewritten');
    },
  );

  it('does not ask if the answer is confident, and counts its results once', async () => {
    const { read, asked, world } = await scene(async () => 'unused', 0.9);
    await read({ rewrite: true });
    expect(asked).toEqual([]);
    expect(world.row('sessions.md')).toMatchObject({ retrievalCount: 1 });
  });

  it.each([
    ['fails', () => Promise.reject(new ModelCallError('failed', 'It failed.'))],
    ['takes more than two seconds', () => new Promise<string>(() => undefined)],
  ])('keeps the first answer where the model %s', async (_, rewrite) => {
    const { read, asked, world } = await scene(rewrite);
    const answer = read({ rewrite: true });
    while (asked.length === 0) await new Promise(setImmediate);
    world.clock.advance(2_000);
    const { explanation } = await answer;
    expect(explanation.notes.map(({ code }) => code)).not.toContain('rewritten');
  });
});

async function scene(rewriteQuery: QueryRewriter['rewriteQuery'], cosine = 0.1) {
  const asked: string[] = [];
  const world = await makeRetrievalWorld({
    queryRewriter: {
      rewriteQuery: (query) => {
        asked.push(query);
        return rewriteQuery(query);
      },
    },
  });
  await world.fill(10);
  await world.add('sessions.md', 'The session token has an expiry of one hour.');
  await world.near('sessions.md', QUESTION, cosine);
  const read = (fields: object) =>
    world.hybridSearch.read({ projectPath: '/project', query: QUESTION, ...fields });
  return { world, asked, read };
}
