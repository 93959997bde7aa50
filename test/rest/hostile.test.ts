import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDatabase } from '../support/database-inspection.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';

/** Some of what people paste; `npm run test:fuzz -- queries` makes up thousands more. */
const HOSTILE: readonly string[] = [
  ...'C++ .NET GB/s a:b don\'t NEAR( \' "" "unbalanced OR NOT (( )( * a** ^a -a heading:x'.split(
    ' ',
  ),
  ...'{ + , ; \\ % $1 ?1 :name null rowid chunks_fts __proto__ constructor 😀 \ud800 \u0000 é ß'.split(
    ' ',
  ),
  "''; DROP TABLE chunks; --",
  '" OR 1=1 --',
  "x' UNION SELECT * FROM sqlite_master --",
  'NEAR("a" "b", 3)',
  'a OR',
  'a AND AND b',
  '(a OR',
  'a ^ b',
  '{heading content}:x',
  'rank MATCH 1',
  '中文没有空格',
  '\u202eabc',
  '\ufeffa',
  'long '.repeat(2000),
  'x'.repeat(10_000),
  '"'.repeat(500),
  '('.repeat(500),
  'a* '.repeat(50),
  'a OR '.repeat(300),
  `${'a NOT '.repeat(70)}b`,
];

const projects = new TempProjects();
afterAll(() => projects.removeAll());

describe('hostile texts', () => {
  let client: Client;
  let project: TempProject;
  beforeAll(async () => {
    client = await startClient('hybrid');
    project = projects.make({
      'hostile.md': HOSTILE.join('\n\n'),
      'long.md': `${'a b c d '.repeat(400)}`,
    });
    okBody(await client.rebuild(project));
  });
  afterAll(() => client.service.stop());

  test('are queries all the same', async () => {
    for (const query of HOSTILE) {
      const { status, body } = await client.search(project, query);
      expect([query, status, Array.isArray(body.results)]).toEqual([query, 200, true]);
    }
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
