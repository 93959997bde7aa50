import { describe, expect, it } from 'vitest';
import { planMoves } from '../../../src/domain/chunks/source-plan.js';

describe('sources that were moved', () => {
  it('are those with the content of one that is gone', () => {
    expect(moves({ 'a.md': 'x', 'b.md': 'y' }, { 'c.md': 'y', 'd.md': 'z' })).toEqual({
      'c.md': 'b.md',
    });
  });

  it('keep their names where several have the same content', () => {
    const gone = { 'old/a.md': 'x', 'old/b.md': 'x', 'old/c.md': 'x' };
    const arrived = { 'new/b.md': 'x', 'new/c.md': 'x', 'new/z.md': 'x' };
    expect(moves(gone, arrived)).toEqual({
      'new/b.md': 'old/b.md',
      'new/c.md': 'old/c.md',
      'new/z.md': 'old/a.md',
    });
  });

  it('keep their order where several have the same content and name', () => {
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

function moves(gone: Readonly<Record<string, string>>, arrived: Readonly<Record<string, string>>) {
  const planned = planMoves(hashed(gone), hashed(arrived));
  return Object.fromEntries([...planned].map(([to, { sourceFile }]) => [to, sourceFile]));
}

function hashed(hashes: Readonly<Record<string, string>>) {
  return Object.entries(hashes).map(([sourceFile, contentHash]) => ({ sourceFile, contentHash }));
}
