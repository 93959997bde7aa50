import { describe, expect, it } from 'vitest';
import {
  describeResults,
  foundChunks,
  isWeak,
  type SearchFindings,
} from '../../../src/app/search/findings.js';
import { chunk } from '../../support/chunks.js';

const first = { chunk: chunk('a.md', 0), score: 2, relevance: 0.9, cosine: 0.5 };
const second = { chunk: chunk('.knowledge/notes/b.md', 0), score: 1 };

const findings = (rest: object = {}) =>
  ({
    project: { path: '/project' },
    projectPath: '/link/to/project',
    request: { profile: 'reading' },
    retrieved: { mode: 'hybrid' },
    arranged: { ranked: [first, second] },
    budgeted: { kept: [first, second], usedTokens: 7 },
    ...rest,
  }) as unknown as SearchFindings;

it('the chunks of an answer are in the project as the caller named it', () => {
  const projectPath = '/link/to/project';
  const { results, ...rest } = foundChunks(findings());
  expect(results).toEqual([
    { chunk: { ...first.chunk, projectPath }, score: 2, relevance: 0.9 },
    { chunk: { ...second.chunk, projectPath }, score: 1 },
  ]);
  expect(results[1]).not.toHaveProperty('relevance');
  expect(rest).toEqual({ retrievalMode: 'hybrid', totalTokens: 7 });
});

it.each([
  [[0.4, 0.3], true],
  [[0.4, 0.6], false],
  [[], false],
])('an answer with the relevance %j is weak: %s', (relevance, expected) => {
  const ranked = relevance.map((one) => ({ ...first, relevance: one }));
  expect(isWeak(findings({ arranged: { ranked } }))).toBe(expected);
});

describe('the results', () => {
  const STALE = { citations: [], stale: true };
  const STATE = { version: 'v1', updated: '2026-01-01' };

  const describeThem = async (rest: object) => {
    const asked: unknown[] = [];
    const record =
      (found: ReadonlyMap<string, object>) =>
      async (...[, ...args]: readonly unknown[]) => {
        asked.push(...args);
        return found;
      };
    const deps = {
      citations: { reports: record(new Map([['a.md#0', STALE]])) },
      sourceStates: { find: record(new Map([['.knowledge/notes/b.md', STATE]])) },
    };
    const found = findings(rest);
    return { results: await describeResults(deps as never, found, [first, second]), asked };
  };

  it('say whether their citations are stale and, for people and agents, the versions of notes', async () => {
    const { results, asked } = await describeThem({});
    expect(results).toEqual([{ ...first, ...STALE }, expect.objectContaining(second)]);
    expect(asked).toEqual([
      ['a.md#0', '.knowledge/notes/b.md#0'],
      ['a.md', '.knowledge/notes/b.md'],
    ]);
  });

  it('have no versions in a specified search, and their known citations', async () => {
    const reports = new Map([['.knowledge/notes/b.md#0', STALE]]);
    const { results, asked } = await describeThem({ request: { profile: 'specified' }, reports });
    expect(results[0]).toEqual(first);
    expect(results[1]).toMatchObject({ ...second, ...STALE });
    expect(asked).toEqual([[]]);
  });
});
