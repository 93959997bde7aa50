import { expect, it } from 'vitest';
import { isTableStart } from '../../../src/domain/chunks/tables.js';

it.each([
  ['| a |', '|---|'],
  ['a | b', '--- | ---'],
  ['a | b', '|---|---|'],
  ['  | a | b |  ', '---|---'],
  ['| a | b |', '  | :-- | --: |\t'],
  ['| a \\| b |', '|:-:|'],
])('a table begins with %j above %j', (header, delimiter) => {
  expect(isTableStart(header, delimiter)).toBe(true);
});

it.each([
  ['a', '---'],
  ['| a |', '|---|---|'],
  ['| a | b |', '|---| : |'],
  ['| a | b |', '| : |---|'],
  ['| a |', 'x |---|'],
  ['| a |', '|---| x'],
  ['| a |', '|\u00a0---|'],
])('no table begins with %j above %j', (header, delimiter) => {
  expect(isTableStart(header, delimiter)).toBe(false);
});
