import { describe, expect, it } from 'vitest';
import { above, atOrBelow } from '../../../src/domain/paths.js';

describe('paths', () => {
  it('are at or below others by whole names', () => {
    const isWanted = atOrBelow(['docs/a', 'b.md']);
    const wanted = ['docs/a', 'docs/a/x.md', 'docs/a/x/y.md', 'b.md'];
    const others = ['docs', 'docs/ab', 'a/docs/a', 'docs/b/a', 'b.md.bak', '', '/docs/a'];
    expect(wanted.filter(isWanted)).toEqual(wanted);
    expect(others.filter(isWanted)).toEqual([]);
  });

  it('have the folders that contain them above, up to the project', () => {
    const isAbove = above(['docs/a/x.md', 'b.md']);
    const folders = ['', 'docs', 'docs/a'];
    const others = ['docs/a/x.md', 'b.md', 'a', 'do', 'docs/'];
    expect(folders.filter(isAbove)).toEqual(folders);
    expect(others.filter(isAbove)).toEqual([]);
    expect(['', 'docs'].filter(above([]))).toEqual(['']);
  });
});
