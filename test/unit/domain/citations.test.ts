import { describe, expect, it } from 'vitest';
import { citationChange } from '../../../src/domain/citations/citation-change.js';
import { readCitations } from '../../../src/domain/citations/read-citations.js';
import {
  citationReport,
  citationSentence,
  toldCitation,
} from '../../../src/domain/citations/told-citation.js';
import { CITATIONS_PER_CHUNK, CITED_PATH_MAX_CHARACTERS } from '../../../src/domain/limits.js';
import { draft } from '../../support/chunks.js';

const CITATION = { path: 'src/a.ts', fileHash: 'f', lines: { from: 4, to: 8 }, linesHash: 'l' };
const { lines: _, linesHash: __, ...OF_FILE } = CITATION;

describe('citations in a store, which others may have written', () => {
  it('are read as they were written, up to the most that a chunk has', () => {
    const one = { ...CITATION, lines: { from: 4, to: 4 } };
    const longest = { ...OF_FILE, path: 'a'.repeat(CITED_PATH_MAX_CHARACTERS) };
    expect(readCitations([CITATION, one, OF_FILE, longest])).toEqual([
      ...[CITATION, one, OF_FILE, longest],
    ]);
    const many = Array(CITATIONS_PER_CHUNK + 1).fill(CITATION);
    expect(readCitations(many)).toHaveLength(CITATIONS_PER_CHUNK);
  });

  it.each([
    ...['', '/etc/passwd', 'a//b', '../a', 'a/..', 'a/../b', 'a\0b', 7],
    'a'.repeat(CITED_PATH_MAX_CHARACTERS + 1),
  ])('are left out with the path %j', (path) => {
    expect(readCitations([{ ...CITATION, path }, OF_FILE])).toEqual([OF_FILE]);
  });

  it.each([null, 'text', [], { path: 'a' }, { ...CITATION, fileHash: 7 }])(
    'are left out where they are %j',
    (value) => {
      expect([readCitations([value]), readCitations(value)]).toEqual([[], []]);
    },
  );

  it.each([
    { lines: undefined },
    { lines: 'text' },
    { lines: { from: 0, to: 8 } },
    { lines: { from: 9, to: 8 } },
    { lines: { from: 1.5, to: 8 } },
    { lines: { from: 4, to: '8' } },
    { linesHash: 7 },
  ])('are of the whole file with %j', (wrong) => {
    expect(readCitations([{ ...CITATION, ...wrong }])).toEqual([OF_FILE]);
  });
});

describe('what is told of a citation', () => {
  const since = '2026-01-02T03:04:05.000Z';
  const told = { path: 'src/a.ts', lines: '4-8', since };
  const movedTo = { from: 5, to: 5 };

  it.each([
    [undefined, {}, undefined],
    [{ state: 'current' } as const, {}, undefined],
    [{ state: 'changed' } as const, {}, '`src/a.ts:4-8` has changed since 2026-01-02'],
    [{ state: 'gone' } as const, {}, '`src/a.ts` is gone'],
    [{ state: 'moved', movedTo } as const, { movedTo: '5-5' }, '`src/a.ts:4-8` has moved to 5'],
    [
      { state: 'renamed', renamedTo: 'b.ts' } as const,
      { renamedTo: 'b.ts' },
      '`src/a.ts` is now `b.ts`',
    ],
  ])('that is %j', (judged, more, sentence) => {
    const citation = toldCitation(CITATION, since, judged);
    expect(citation).toStrictEqual({ ...told, ...(judged && { state: judged.state }), ...more });
    expect(citationSentence(citation)).toBe(sentence);
    const isStale = judged?.state === 'changed' || judged?.state === 'gone';
    const report = { citations: [citation], ...(isStale && { stale: true }) };
    expect(citationReport([citation])).toStrictEqual(report);
  });

  it('is nothing without one, and names no lines of a whole file', () => {
    expect(citationReport([])).toStrictEqual({});
    const whole = toldCitation(OF_FILE, since, { state: 'changed' });
    expect(whole).not.toHaveProperty('lines');
    expect(citationSentence(whole)).toBe('`src/a.ts` has changed since 2026-01-02');
  });
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
