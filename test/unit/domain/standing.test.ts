import { describe, expect, it } from 'vitest';
import { readStanding } from '../../../src/domain/chunks/standing.js';
import { preferStanding } from '../../../src/domain/ranking/scored-chunk.js';
import { chunk } from '../../support/chunks.js';

describe('the frontmatter of a document', () => {
  it.each([
    [{ status: 'superseded by ADR-0002' }, 'superseded'],
    [{ status: 'Superseded by [ADR-2](0002.md)' }, 'superseded'],
    [{ status: ' DEPRECATED' }, 'deprecated'],
    [{ status: ['rejected'] }, 'rejected'],
    [{ superseded_by: 'adr-2.md' }, 'superseded'],
    [{ status: 'accepted', superseded_by: 2 }, 'superseded'],
  ])('%j says that it does not hold', (frontmatter, standing) => {
    expect(readStanding(frontmatter)).toBe(standing);
  });

  it.each([
    {},
    null,
    'superseded',
    { status: 'accepted' },
    { status: 'not superseded' },
    { superseded_by: '' },
    { supersedes: 'a' },
  ])('%j does not', (frontmatter) => {
    expect(readStanding(frontmatter)).toBeUndefined();
  });
});

describe('a superseded document', () => {
  const order = (...rows: readonly (readonly [string, (number | undefined)?, string?])[]) =>
    preferStanding(
      rows.map(([id, relevance, tag]) => ({
        chunk: chunk('docs/adr.md', 0, { id, ...(tag !== undefined && { tags: [tag] }) }),
        score: 0,
        ...(relevance !== undefined && { relevance }),
      })),
    ).map(({ chunk }) => chunk.id);

  it('ranks behind what is at least half as relevant', () => {
    expect(order(['old', 0.9, 'superseded'], ['new', 0.6], ['other', 0.2])).toEqual([
      ...['new', 'old', 'other'],
    ]);
    expect(order(['old', 0.9, 'rejected'], ['older', 0.9, 'deprecated'], ['new', 0.5])).toEqual([
      ...['new', 'old', 'older'],
    ]);
  });

  it('ranks behind everything where no relevance is known', () => {
    expect(order(['old', undefined, 'superseded'], ['new'], ['other'])).toEqual([
      ...['new', 'other', 'old'],
    ]);
  });

  it('is not moved forward, and stays first where nothing else is an answer', () => {
    expect(order(['new', 0.9], ['old', 0.8, 'superseded'], ['far', 0.1])).toEqual([
      ...['new', 'old', 'far'],
    ]);
    expect(order(['old', 0.9, 'superseded'], ['far', 0.1])).toEqual(['old', 'far']);
  });
});
