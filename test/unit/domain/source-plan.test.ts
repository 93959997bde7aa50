import { describe, expect, it } from 'vitest';
import { type ExistingChunk, planSource } from '../../../src/domain/chunks/source-plan.js';
import { document, draft } from '../../support/chunks.js';

const NONE: ReadonlySet<string> = new Set();

describe('the plan of a source', () => {
  it('keeps what is at its place, moves what is elsewhere, drops the rest', () => {
    expect(outline(['x', 'new', 'z'], ['x', 'z', 'old'])).toEqual({
      kept: ['a#0 < a#0', 'a#2 < a#1'],
      added: ['a#1'],
      dropped: ['a#2'],
    });
  });

  it('prefers the chunk at the place to an earlier one with the same text', () => {
    expect(outline(['new', 'x'], ['x', 'x'])).toEqual({
      kept: ['a#1 < a#1'],
      added: ['a#0'],
      dropped: ['a#0'],
    });
  });

  it('takes a text under another heading, or under none, for another text', () => {
    const plan = planSource({
      document: document('a', [draft('x', { heading: 'H' }), 'x', draft('y', { heading: 'H' })]),
      existing: [
        { id: 'a#0', heading: null, content: 'x' },
        { id: 'a#1', heading: 'H', content: 'x' },
        { id: 'a#2', heading: 'G', content: 'y' },
      ],
      takenIds: NONE,
    });
    expect(plan.kept.map(({ id, existing }) => [id, existing.id])).toEqual([
      ['a#0', 'a#1'],
      ['a#1', 'a#0'],
    ]);
    expect(plan.added.map(({ id }) => id)).toEqual(['a#2']);
    expect(plan.dropped.map(({ id }) => id)).toEqual(['a#2']);
  });

  it('leaves out the drafts whose ids are taken, and drops what had their text', () => {
    expect(outline(['x', 'y', 'z'], ['y'], new Set(['a#1']))).toEqual({
      kept: [],
      added: ['a#0', 'a#2'],
      dropped: ['a#0'],
    });
  });

  it('plans 60,000 paragraphs of the same text in well under a second of work', () => {
    const texts = Array.from({ length: 60_000 }, () => 'a');
    const started = process.cpuUsage();
    const plan = planSource({
      document: document('a', ['first', ...texts]),
      existing: existing(texts),
      takenIds: NONE,
    });
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
    expect([plan.kept.length, plan.added.length, plan.dropped.length]).toEqual([60_000, 1, 0]);
  });
});

function outline(texts: readonly string[], before: readonly string[], takenIds = NONE) {
  const plan = planSource({
    document: document('a', texts),
    existing: existing(before),
    takenIds,
  });
  return {
    kept: plan.kept.map(({ id, existing: former }) => `${id} < ${former.id}`),
    added: plan.added.map(({ id }) => id),
    dropped: plan.dropped.map(({ id }) => id),
  };
}

function existing(texts: readonly string[]): readonly ExistingChunk[] {
  return texts.map((content, place) => ({ id: `a#${place}`, content }));
}
