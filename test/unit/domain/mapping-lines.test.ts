import { expect, it } from 'vitest';
import { isLikeMapping, isPlainMapping } from '../../../src/domain/chunks/mapping-lines.js';

it.each([
  '',
  ' \n',
  'a: 1',
  'a:\n- x\n- y\nb: 2',
  'a: [x,\ny]\nb: 2',
  'a: {x: 1,\ny: 2}',
  'a: "x\ny"\nb: 1',
  'a: "one"',
  'a: [x]',
  'a: "',
  "a: 'it\nis'",
  'a: &anchor\n- x',
  'a: # why\n- x',
  'a: !!set\n- x',
  '-: x',
  '{a: 1}',
  '? complex\n: value',
  '?\n:',
  '"my key": 1',
  'og:title: x',
  'og:title x',
  '# a\n  a: 1\n  b: 2',
  'a: 1\n    folded further\nb: 2',
  '<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> other',
  'a: [x', // a bracket that nothing closes is text
  'A word or two: x',
])('%j looks like a mapping', (yaml) => expect(isLikeMapping(yaml)).toBe(true));

it.each([
  'just words',
  '# only\n# comments',
  'a: 1\njust words',
  '- x\n- y',
  'a: 1\n- x',
  'a: x#y\n- z',
  'https://example.org',
  '10:30 we met',
  'localhost:8080 serves it',
  '#: no\nwords',
])('%j does not', (yaml) => expect(isLikeMapping(yaml)).toBe(false));

it.each([
  ['a: 1\nb: x y', true],
  ['a:\n- x\n- y', true],
  ['a:\n  - x\n  - y\nb: 1', true],
  ['my key: x', true],
  ['a: 1\r\nb: 2\r\n\n', true],
  ['a: 1\nA: 2', false],
  ['a: 1\n- x', false],
  ['- x', false],
  ['a:\n- x\n  - y', false],
  ['a:\n- x: y', false],
  ['a: x: y', false],
  ['a: x # y', false],
  ['a: x:', false],
  ['a: x\ty', false],
  ['a: "x"', false],
  ['a\n', false],
  ['a:\n- x #y', false],
])('%j is plain: %j', (yaml, is) => expect(isPlainMapping(yaml)).toBe(is));
