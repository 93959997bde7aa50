import { expect, test } from 'vitest';
import { parseQuery } from '../../../src/adapters/http/server/application.js';

test.each([
  [null, {}],
  ['', {}],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a=1&a=2', { a: ['1', '2'] }],
  ['a', { a: '' }],
  ['a=b+c%2B%C3%A9', { a: 'b c+é' }],
  ['a[]=1', { 'a[]': '1' }],
])('reads the query %j', (query, fields) => {
  expect({ ...parseQuery(query) }).toEqual(fields);
});

test.each(['a=%', 'a=%zz', '%ff=1', 'a=%c3'])('refuses %j, which is broken', (query) => {
  expect(() => parseQuery(query)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

test('takes no name of a query for a member of all objects', () => {
  expect(Object.getPrototypeOf(parseQuery('__proto__=1'))).toBeNull();
});

test('is not held up by 100,000 names', () => {
  const query = Array.from({ length: 100_000 }, (_, index) => `n${index}=1`).join('&');
  const began = performance.now();
  expect(Object.keys(parseQuery(query))).toHaveLength(1000);
  expect(performance.now() - began).toBeLessThan(1000);
});
