import { expect, test } from 'vitest';
import { requestTarget } from '../../../src/adapters/http/server/request-target.js';

test.each([
  ['/a/b', { path: '/a/b', query: '' }],
  ['/a?b=c?d', { path: '/a', query: 'b=c?d' }],
  ['/a?', { path: '/a', query: '' }],
  ['/a#b?c', { path: '/a', query: '' }],
  ['/a?b#c', { path: '/a', query: 'b' }],
  ['//evil/a', { path: '//evil/a', query: '' }],
  ['/http://evil/a', { path: '/http://evil/a', query: '' }],
  ['*', { path: '*', query: '' }],
  ['', { path: '/', query: '' }],
  ['http://evil:80/a?b', { authority: 'evil:80', path: '/a', query: 'b' }],
  ['HTTP://evil', { authority: 'evil', path: '/', query: '' }],
  ['http://evil?b', { authority: 'evil', path: '/', query: 'b' }],
  ['http://a@evil/', { authority: 'a@evil', path: '/', query: '' }],
  ['http:///a', { authority: '', path: '/a', query: '' }],
])('splits %j', (url, target) => {
  expect(requestTarget(url)).toEqual(target);
});
