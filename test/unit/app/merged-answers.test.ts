import { describe, expect, it } from 'vitest';
import { mergeReading } from '../../../src/app/user-notes/merged-answers.js';
import type { AnswerNote, ReadAnswer } from '../../../src/schemas/explanation.js';
import { chunk } from '../../support/chunks.js';

interface Told {
  readonly notes?: readonly AnswerNote['code'][];
  readonly mode?: 'bm25' | 'hybrid';
  readonly leftOut?: number;
  readonly scope?: 'project' | 'user';
}

/** An answer with one result of each name and relevance. */
function answer(
  relevance: Readonly<Record<string, number>>,
  { notes = [], mode = 'hybrid', leftOut = 0, scope = 'project' }: Told = {},
): ReadAnswer {
  const results = Object.entries(relevance).map(([name, own]) => ({
    chunk: chunk(name, 0),
    score: own,
    relevance: own,
    scope,
  }));
  const budget = { maxResults: 9, maxTokens: 99, usedTokens: 1, cut: 1, reason: 'nothing cut' };
  return {
    results,
    retrievalMode: mode,
    totalTokens: 1,
    weak: false,
    leftOut,
    explanation: {
      query: { kind: 'plain', terms: [] },
      mode: { value: mode, reason: 'It is.' },
      candidates: {},
      results: results.map(({ chunk: { id }, score }) => ({ id, score })),
      budget,
      notes: notes.map((code) => ({ code, sentence: `It is ${code}.` })),
    },
  } as unknown as ReadAnswer;
}

const ASKED = { query: 'locks' };
const names = ({ results }: ReadAnswer) => results.map((one) => one.chunk.sourceFile);

describe('the merged answer of a project and of user notes', () => {
  it('has the results of both, with their ranks', () => {
    const own = answer({ a: 0.9, b: 0.6 });
    const merged = mergeReading(own, answer({ mine: 0.8 }), ASKED);
    expect(names(merged)).toEqual(['a', 'mine', 'b']);
    expect(merged.results.map(({ scope }) => scope)).toEqual(['project', 'user', 'project']);
    expect(merged.explanation.results.map(({ id }) => id)).toEqual(['a#0', 'mine#0', 'b#0']);
    expect(merged.weak).toBe(false);
  });

  it('counts the weak results that each and the merge left out', () => {
    const own = answer({ a: 0.9, b: 0.01 }, { leftOut: 4 });
    const merged = mergeReading(own, answer({ mine: 0.8 }, { leftOut: 2 }), ASKED);
    expect(names(merged)).toEqual(['a', 'mine']);
    expect(merged.leftOut).toBe(7);
  });

  it('has the mode of the project unless only user notes were compared by meaning', () => {
    const modeOf = (own: Told, ofUser: Told) =>
      mergeReading(answer({ a: 1 }, own), answer({ b: 1 }, ofUser), ASKED).retrievalMode;
    expect(modeOf({ mode: 'bm25' }, { mode: 'hybrid' })).toBe('hybrid');
    expect(modeOf({ mode: 'hybrid' }, { mode: 'bm25' })).toBe('hybrid');
    expect(modeOf({ mode: 'bm25' }, { mode: 'bm25' })).toBe('bm25');
  });

  it('keeps to one budget, and says which limit cut it', () => {
    const [own, ofUser] = [answer({ a: 0.9, b: 0.8 }), answer({ mine: 0.85 })];
    const budgetOf = (limits: object) =>
      mergeReading(own, ofUser, { ...ASKED, ...limits }).explanation.budget;
    expect(budgetOf({})).toMatchObject({ cut: 1, reason: 'nothing cut' });
    const cut = budgetOf({ maxResults: 1 });
    expect(cut).toMatchObject({ cut: 3, reason: expect.stringContaining('maxResults') });
    const explanation = {
      ...own.explanation,
      budget: { ...own.explanation.budget, reason: 'maxTokens reached' },
    };
    const kept = mergeReading({ ...own, explanation } as ReadAnswer, ofUser, ASKED);
    expect(kept.explanation.budget.reason).toBe('maxTokens reached');
  });
});

describe('the remarks about a merged answer', () => {
  const DOUBT = 'not_relevant';
  type Codes = readonly AnswerNote['code'][];
  it.each<[string, number, Codes, Codes, Codes]>([
    [
      'are those of the project',
      0.9,
      ['no_vectors', 'indexing'],
      ['corrected'],
      ['no_vectors', 'indexing'],
    ],
    [
      'are not that it is empty',
      0.9,
      ['budget', 'irrelevant', 'no_match', 'never_indexed'],
      [],
      [],
    ],
    ['doubt doubtful results', 0.4, [DOUBT], [], [DOUBT]],
    ['doubt doubtful results of user notes', 0.4, [], [DOUBT], [DOUBT]],
    ['do not doubt relevant results', 0.9, [DOUBT], [DOUBT], []],
    ['do not doubt by themselves', 0.4, ['no_match'], [], []],
    [
      'do not doubt while better results may be missing',
      0.4,
      [DOUBT, 'indexing'],
      [],
      ['indexing'],
    ],
  ])('%s', (_, relevance, ofProject, ofUser, expected) => {
    const own = answer({ a: relevance }, { notes: ofProject });
    const merged = mergeReading(own, answer({ b: relevance }, { notes: ofUser }), ASKED);
    expect(merged.explanation.notes.map(({ code }) => code)).toEqual(expected);
  });
});
