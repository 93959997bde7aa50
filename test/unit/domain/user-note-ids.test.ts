import { expect, it } from 'vitest';
import {
  isUserId,
  toUserId,
  toUserSource,
  withoutUser,
} from '../../../src/domain/saved/user-note-ids.js';

it.each([
  ['pool', 'user:pool'],
  ['./notes/pool.md', 'user:notes/pool.md'],
  ['./notes/pool.md#2', 'user:notes/pool.md#2'],
  ['./notes', 'user:./notes'],
  ['x/./notes/pool.md', 'user:x/./notes/pool.md'],
])('%s is shown outside its store as %s', (id, shown) => {
  expect(toUserId(id)).toBe(shown);
});

it.each([
  ['user:pool', './notes/pool.md'],
  [' user:pool.md ', './notes/pool.md'],
  ['user:pool.MD', './notes/pool.md'],
  ['user:notes/pool.md', './notes/pool.md'],
  ['user:notes/pool.md#2', './notes/pool.md#2'],
  ['user:pool#2', './notes/pool.md#2'],
  ['user:pool.md:3-9', './notes/pool.md:3-9'],
  ['user:db/pool', './notes/db/pool.md'],
  ['user:x/notes/pool', './notes/x/notes/pool.md'],
  ['user:pool#a', './notes/pool#a.md'],
  ['user:pool.md#1#2', './notes/pool.md#1.md#2'],
  ['user:x.md/pool', './notes/x.md/pool.md'],
  ['user:', './notes/.md'],
  ['user:a\nb', './notes/a\nb.md'],
  ['pool', './notes/pool.md'],
])('%j is %s in its store', (id, source) => {
  expect(toUserSource(id)).toBe(source);
});

it('a user note is known by its prefix, which its own store does not have', () => {
  expect(['user:a', ' user:a', 'a', 'auser:a', 'user'].map(isUserId)).toEqual([
    ...[true, true, false, false, false],
  ]);
  expect(withoutUser(' user:a ')).toBe('a');
  expect(withoutUser(' a ')).toBe(' a ');
});
