import { describe, expect, it } from 'vitest';
import {
  isNoteName,
  isNoteReference,
  nameKeys,
  noteName,
  noteNames,
} from '../../../src/domain/saved/note-names.js';

describe('the name of a note', () => {
  it.each([
    ['pool', ['pool']],
    ['pool.md', ['pool.md', 'pool']],
    [' pool ', [' pool ', 'pool']],
    ['.knowledge/notes/db/pool.md#2', ['db/pool.md', 'db/pool']],
    ['notes/pool.md:3-9', ['notes/pool.md:3-9', 'notes/pool', 'pool.md', 'pool']],
    ['pool.md:30-120', ['pool.md:30-120', 'pool', 'pool.md']],
    ['x.md#2/pool', ['x.md#2/pool']],
    ['pool.md:12', ['pool.md:12', 'pool', 'pool.md']],
    ['pool#2', ['pool#2']],
    ['.knowledge\\notes\\pool.md', ['pool.md', 'pool']],
    ['x.md/pool', ['x.md/pool']],
  ])('%j may mean %j', (given, names) => {
    expect(new Set(noteNames(given))).toEqual(new Set(names));
  });

  it('is tried as it is given first', () => {
    expect(noteNames('pool.md')[0]).toBe('pool.md');
  });

  it.each(['', '.', '../pool', '/pool', 'a//b', '.hidden', 'a/.hidden', 'a\\b', 'a\nb', 'a/'])(
    'is not %j',
    (name) => expect(isNoteName(name)).toBe(false),
  );

  it('is read from its file', () => {
    expect(noteName('.knowledge/notes/db/pool.md')).toBe('db/pool');
    expect(noteName('.knowledge/notes/pool.mdx')).toBe('pool.mdx');
    expect(noteName('.knowledge/notes/x.md/pool.md')).toBe('x.md/pool');
  });

  it('is found in another spelling or with an extension', () => {
    expect(nameKeys('u\u0308.MD')).toEqual(['ü.MD', 'ü']);
    expect(nameKeys('a.md.b')).toEqual(['a.md.b', 'a.md.b']);
  });
});

it.each([
  ['pool', true],
  ['a'.repeat(1000), true],
  ['a'.repeat(1001), false],
  ['../pool', false],
  ['', false],
  [7, false],
  [undefined, false],
])('%j refers to a note: %s', (value, does) => {
  expect(isNoteReference(value)).toBe(does);
});
