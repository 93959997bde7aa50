import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDatabase } from '../support/database-inspection.js';
import { type Client, okBody, startClient, VARIANTS } from '../support/running-service-calls.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';

const HOSTILE = [
  'gpt-4o',
  "don't",
  'C++',
  'C#',
  '.NET',
  'GB/s',
  'a:b',
  'NEAR(x)',
  'NEAR("a" "b", 3)',
  'NEAR(',
  '"unbalanced',
  'un"balanced',
  '""',
  '"',
  '"""',
  '""""',
  "'",
  "''; DROP TABLE chunks; --",
  '" OR 1=1 --',
  "x' UNION SELECT * FROM sqlite_master --",
  'a OR',
  'OR a',
  'OR',
  'AND',
  'NOT',
  'NOT a',
  'a AND',
  'a NOT',
  'AND OR NOT',
  'a AND AND b',
  '((',
  '))',
  ')(',
  '()',
  '(a',
  'a)',
  '(a OR',
  '*',
  '**',
  '* a',
  'a**',
  'a *b',
  '^a',
  'a ^ b',
  '-a',
  '- a',
  'heading:x',
  'heading : x',
  '-heading:x',
  '{heading content}:x',
  '{',
  '}',
  'a + b',
  '+',
  'a, b',
  'a;b',
  '\\',
  'a\\b',
  '%',
  '_',
  'a%_b',
  '$1',
  '?1',
  ':name',
  '@x',
  'null',
  'undefined',
  'NaN',
  'rank',
  'rowid',
  'chunks_fts',
  'rank MATCH 1',
  '<script>alert(1)</script>',
  '😀',
  '👩‍👩‍👧‍👦',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00b',
  '\ufeffa',
  '\u202eabc',
  '\u200b',
  'é',
  'e\u0301',
  '中文没有空格',
  'عربي',
  'İ',
  'ß',
  `${'long '.repeat(2000)}`,
  'x'.repeat(10_000),
  '"'.repeat(500),
  '('.repeat(500),
  'a* '.repeat(50),
  'a OR '.repeat(300),
  'NOT '.repeat(100),
  `${'a NOT '.repeat(70)}b`,
  '\n\t\r a \n',
  '\u00a0a\u00a0',
  '../../etc/passwd',
  '$(jndi)',
  '{{7*7}}',
  '__proto__',
  'constructor',
] as const;

const projects = new TempProjects();
afterAll(() => projects.removeAll());

describe.each(VARIANTS)('hostile texts in the %s variant', (variant) => {
  let client: Client;
  let project: TempProject;
  beforeAll(async () => {
    client = await startClient(variant);
    project = projects.make({
      'hostile.md': HOSTILE.join('\n\n'),
      'long.md': `${'a b c d '.repeat(400)}`,
    });
    okBody(await client.rebuild(project));
  });
  afterAll(() => client.service.stop());

  test.each(HOSTILE.map((text, i) => [i, text] as const))('query %i is 200', async (_, query) => {
    const begin = performance.now();
    const { status, body } = await client.search(project, query);
    expect(status).toBe(200);
    expect(Array.isArray(body.results)).toBe(true);
    expect(performance.now() - begin).toBeLessThan(2000);
  });

  test('hostile members of a body are ignored or refused, and never more', async () => {
    const bodies = [
      '{"__proto__": {"projectPath": "/tmp"}, "query": "x"}',
      '{"constructor": {"prototype": {"polluted": 1}}, "query": "x"}',
      `{"projectPath": ${JSON.stringify(project.path)}, "query": "x", "__proto__": {"maxResults": -1}}`,
      `{"projectPath": "/etc", "projectPath": ${JSON.stringify(project.path)}, "query": "x"}`,
      `{"projectPath": ${JSON.stringify(project.path)}, "query": "x", "deep": ${'['.repeat(5000)}${']'.repeat(5000)}}`,
    ];
    const statuses = [];
    for (const body of bodies) {
      statuses.push((await client.service.post('/api/knowledge/search', body)).status);
    }
    expect(statuses).toEqual([400, 400, 200, 200, 200]);
    expect(okBody(await client.search(project, 'long')).results.length).toBeGreaterThan(0);
  });

  test('nothing was broken, and nothing was taken for a bug', () => {
    verifyDatabase(project.database);
    expect(client.service.stderr()).not.toContain('bug');
    expect(client.service.process.isRunning()).toBe(true);
  });
});
