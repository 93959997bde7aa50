import { describe, expect, it } from 'vitest';
import { above, atOrBelow, pathsMeant } from '../../../src/domain/paths.js';

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

describe('a path in the words of an agent', () => {
  it.each([
    'docs/My File.md',
    './docs/My File.md',
    '/docs/My File.md',
    '/home/me/shop/docs/My File.md',
    'docs\\My File.md',
    'file:///home/me/shop/docs/My%20File.md',
    'file:/home/me/shop/docs/My%20File.md',
    'docs/My%20File.md',
    '@docs/My File.md',
    ' `docs/My File.md` ',
    '"docs/My File.md"',
    '<docs/My%20File.md>',
    '@/docs/My File.md',
    'docs/x/../My File.md',
  ])('%j is found', (text) => {
    expect(pathsMeant(text, '/home/me/shop')).toContain('docs/My File.md');
  });

  it('is found in letters of several pieces', () => {
    expect(pathsMeant('docs/u\u0308.md', '/shop')).toContain('docs/ü.md');
    expect(pathsMeant('docs/ü.md', '/shop')).toContain('docs/u\u0308.md');
  });

  it.each(['../a.md', '/../a.md', 'docs/../../a.md', '"../a.md"'])(
    '%j, which leads out of the project, is none but itself',
    (text) => expect(pathsMeant(text, '/shop')).toEqual([text]),
  );

  it.each([
    'a@b.md',
    'say "hi".md',
    'say "hi"',
    '"a".md',
    'x<a.md>',
    '<a>.md',
    'profile:/a.md',
    'a\nb.md',
    'x/c:/a.md',
  ])('%j is no frame, scheme or mark around another path', (text) => {
    expect(pathsMeant(text, '/shop')).toEqual([text]);
  });

  it.each([
    ['file:///C:/shop/a.md', 'C:/shop', 'a.md'],
    ['C:\\shop\\docs\\a.md', 'C:\\shop', 'docs/a.md'],
    ['FILE://localhost/shop/a.md', '/shop', 'a.md'],
    ['file:///shop/x/c:/a.md', '/shop', 'x/c:/a.md'],
    ['file:///shop/a\nb.md', '/shop', 'a\nb.md'],
    ['"a\nb.md"', '/shop', 'a\nb.md'],
    ['/shopping/a.md', '/shop', 'shopping/a.md'],
    ['file:///9:/a.md', '/shop', '9:/a.md'],
  ])('%j in %s is read as %j', (text, project, path) => {
    expect(pathsMeant(text, project)).toContain(path);
  });

  it('is read literally first', () => {
    expect(pathsMeant('@types/a%20b.md', '/shop')).toEqual([
      '@types/a%20b.md',
      '@types/a b.md',
      'types/a%20b.md',
    ]);
  });
});
