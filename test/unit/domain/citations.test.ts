import { describe, expect, it } from 'vitest';
import { citationChange } from '../../../src/domain/chunks/source-plan.js';
import {
  citationReport,
  citationRow,
  citationSentence,
  citationsByChunk,
  staleText,
} from '../../../src/domain/citations/citation.js';
import { draft } from '../../support/chunks.js';

const CITATION = { path: 'src/a.ts', fileHash: 'f', lines: { from: 4, to: 8 }, linesHash: 'l' };
const { lines: _, linesHash: __, ...OF_FILE } = CITATION;

describe('the report on a citation', () => {
  const since = '2026-01-02T03:04:05.000Z';

  it.each([
    [{ state: 'current' } as const, undefined],
    [{ state: 'changed' } as const, '`src/a.ts:4-8` has changed since 2026-01-02'],
    [{ state: 'gone' } as const, '`src/a.ts` is gone'],
    [{ state: 'current', movedTo: { from: 5, to: 5 } } as const, '`src/a.ts:4-8` has moved to 5'],
  ])('that is %j', (verdict, sentence) => {
    const { citations: [citation] = [], stale } = citationReport(
      [{ ...CITATION, ...verdict }],
      since,
    );
    const movedTo = 'movedTo' in verdict ? { movedTo: '5-5' } : {};
    const { state } = verdict;
    expect(citation).toStrictEqual({ path: 'src/a.ts', lines: '4-8', state, since, ...movedTo });
    expect(citation && citationSentence(citation)).toBe(sentence);
    expect(stale).toBe(state === 'current' ? undefined : true);
  });

  it('is nothing without one, and names no lines of a whole file', () => {
    expect(citationReport([], since)).toStrictEqual({});
    const { citations: [whole] = [] } = citationReport([{ ...OF_FILE, state: 'changed' }], since);
    expect(whole).not.toHaveProperty('lines');
    expect(whole && citationSentence(whole)).toBe('`src/a.ts` has changed since 2026-01-02');
  });
});

it('a chunk is reported as stale by the files that changed or are gone, not by moved lines', () => {
  const since = '2026-01-02T03:04:05.000Z';
  const moved = { ...CITATION, state: 'current', movedTo: { from: 5, to: 9 } } as const;
  const changed = { ...CITATION, state: 'changed' } as const;
  const gone = { ...OF_FILE, path: 'src/b.ts', state: 'gone' } as const;
  const report = citationReport([moved, changed, gone], since);
  expect(report.stale).toBe(true);
  expect(staleText(report)).toBe('`src/a.ts:4-8` has changed since 2026-01-02; `src/b.ts` is gone');
  expect(staleText(citationReport([moved], since))).toBeUndefined();
  expect(staleText({})).toBeUndefined();
});

it.each([
  { ...OF_FILE, state: 'gone' } as const,
  { ...CITATION, state: 'changed' } as const,
  { ...CITATION, state: 'current', movedTo: { from: 5, to: 9 } } as const,
])('is read from its row as it was written: %j', (citation) => {
  const row = { ...citationRow(citation), chunkId: 'a', citedAt: 'now' };
  expect(citationsByChunk([row])).toEqual([
    { chunkId: 'a', citedAt: 'now', citations: [citation] },
  ]);
});

it('a chunk that is kept keeps its citations, unless all are renewed', () => {
  const placed = (id: string, citations = [CITATION]) => ({
    id,
    place: 0,
    draft: draft('x', { citations }),
  });
  const plan = { kept: [placed('k'), placed('none', [])], added: [placed('a')] };
  const added = ['a', 'k'].map((chunkId) => ({ chunkId, citations: [CITATION] }));
  expect(citationChange(plan, {})).toEqual({ dropped: [], added });
  const renewed = { dropped: ['k', 'none'], added };
  expect(citationChange(plan, { citations: 'renewed' })).toEqual(renewed);
});
