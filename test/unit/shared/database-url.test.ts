import { expect, it } from 'vitest';
import { serverUrls } from '../../../src/shared/database-url.js';

it.each([
  ['postgres://host/db', ['postgres://host/db']],
  ['postgres://user@a,b:5433/db', ['postgres://user@a/db', 'postgres://user@b:5433/db']],
  [
    'postgresql://u:p@10.0.0.1:5501,10.0.0.2:5502/db?target_session_attrs=read-write',
    [
      'postgresql://u:p@10.0.0.1:5501/db?target_session_attrs=read-write',
      'postgresql://u:p@10.0.0.2:5502/db?target_session_attrs=read-write',
    ],
  ],
  [
    'postgres://u:a,b@c@[::1]:1,d/db?x=1,2@e',
    ['postgres://u:a,b@c@[::1]:1/db?x=1,2@e', 'postgres://u:a,b@c@d/db?x=1,2@e'],
  ],
  ['postgres://a,b,c/db', ['postgres://a/db', 'postgres://b/db', 'postgres://c/db']],
])('%s names %j', (url, servers) => {
  expect(serverUrls(url)).toEqual(servers);
});

it.each([
  'postgres://a,/db',
  'postgres://,a/db',
  'postgres://a:1,b:x/db',
  'postgres://a,b:99999/db',
  'postgres://a,b',
  'postgres:///db',
  'mysql://a,b/db',
  '',
])('%j names no servers', (url) => {
  expect(serverUrls(url)).toEqual([]);
});
