import { describe, expect, it } from 'vitest';
import {
  type ExistingChunk,
  listIds,
  planMoves,
  planSource,
} from '../../../src/domain/chunks/source-plan.js';
import { document, draft } from '../../support/chunks.js';

describe('the plan of a source', () => {
  it('takes a text under another heading, or under none, for another text', () => {
    const plan = planSource({
      document: document('a', [draft('x', { heading: 'H' }), 'x', draft('y', { heading: 'H' })]),
      existing: [
        { id: 'a#0', heading: null, content: 'x' },
        { id: 'a#1', heading: 'H', content: 'x' },
        { id: 'a#2', heading: 'G', content: 'y' },
      ],
    });
    expect(plan.kept.map(({ id, existing }) => [id, existing.id])).toEqual([
      ['a#0', 'a#1'],
      ['a#1', 'a#0'],
    ]);
    expect(plan.added.map(({ id }) => id)).toEqual(['a#2']);
    expect(plan.dropped.map(({ id }) => id)).toEqual(['a#2']);
  });

  it('leaves the pruned chunks of a moved source out', () => {
    const plan = planSource({
      document: document('b', ['x', 'y', 'z']),
      existing: [
        { id: 'a#0', content: 'x' },
        { id: 'a#2', content: 'z' },
      ],
      movedFrom: 'a',
    });
    expect(plan.kept.map(({ id, existing }) => [id, existing.id])).toEqual([
      ['b#0', 'a#0'],
      ['b#2', 'a#2'],
    ]);
    expect([plan.added, plan.dropped]).toEqual([[], []]);
  });

  it('plans 60,000 paragraphs of the same text in well under a second of work', () => {
    const texts = Array.from({ length: 60_000 }, () => 'a');
    const started = process.cpuUsage();
    const plan = planSource({
      document: document('a', ['first', ...texts]),
      existing: existing(texts),
    });
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
    expect([plan.kept.length, plan.added.length, plan.dropped.length]).toEqual([60_000, 1, 0]);
  });
});

it('the ids of a document are those of its places', () => {
  expect(listIds(document('a.md', ['x', 'y']))).toEqual(['a.md#0', 'a.md#1']);
});

describe('sources that were moved', () => {
  it('are those with the content of one that is gone', () => {
    expect(moves({ 'a.md': 'x', 'b.md': 'y' }, { 'c.md': 'y', 'd.md': 'z' })).toEqual({
      'c.md': 'b.md',
    });
  });

  it('keep their names if several have the same content', () => {
    const gone = { 'old/a.md': 'x', 'old/b.md': 'x', 'old/c.md': 'x' };
    const arrived = { 'new/b.md': 'x', 'new/c.md': 'x', 'new/z.md': 'x' };
    expect(moves(gone, arrived)).toEqual({
      'new/b.md': 'old/b.md',
      'new/c.md': 'old/c.md',
      'new/z.md': 'old/a.md',
    });
  });

  it('keep their order if several have the same content and name', () => {
    const gone = { 'old/x/README.md': 'r', 'old/y/README.md': 'r' };
    const arrived = { 'new/x/README.md': 'r', 'new/y/README.md': 'r' };
    expect(moves(gone, arrived)).toEqual({
      'new/x/README.md': 'old/x/README.md',
      'new/y/README.md': 'old/y/README.md',
    });
  });

  it('are each moved once: of two copies one is new', () => {
    expect(moves({ 'a.md': 'x' }, { 'b.md': 'x', 'c.md': 'x' })).toEqual({ 'b.md': 'a.md' });
  });
});

function existing(texts: readonly string[]): readonly ExistingChunk[] {
  return texts.map((content, place) => ({ id: `a#${place}`, content }));
}

function moves(gone: Readonly<Record<string, string>>, arrived: Readonly<Record<string, string>>) {
  const planned = planMoves(hashed(gone), hashed(arrived));
  return Object.fromEntries([...planned].map(([to, { sourceFile }]) => [to, sourceFile]));
}

function hashed(hashes: Readonly<Record<string, string>>) {
  return Object.entries(hashes).map(([sourceFile, contentHash]) => ({ sourceFile, contentHash }));
}
