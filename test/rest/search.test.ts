import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunksIn, execute, ISO_DATE, insertChunk } from '../support/database-inspection.js';
import { asShipped, eventually } from '../support/running-service.js';
import { type Client, okBody, startClient, VARIANTS } from '../support/running-service-calls.js';
import { TempProjects } from '../support/temp-project.js';

asShipped();

const projects = new TempProjects();
afterAll(() => projects.removeAll());

describe.each(VARIANTS)('search in the %s variant', (variant) => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient(variant);
  });
  afterAll(() => client.service.stop());

  test('20 results are the default; 50 candidates bound the hybrid variant only', async () => {
    const project = projects.make({
      'a.md': Array.from({ length: 70 }, (_, i) => `okapi number${i}`).join('\n\n'),
    });
    okBody(await client.rebuild(project));
    expect(await client.results(project, 'okapi')).toHaveLength(20);
    const most = variant === 'hybrid' ? 50 : 70;
    expect(await client.results(project, 'okapi', { maxResults: 1000 })).toHaveLength(most);
    expect(await client.results(project, '"okapi"', { maxResults: 1000 })).toHaveLength(most);
  });

  test('the returned chunks, and only they, are counted before the answer', async () => {
    const project = projects.make({
      'a.md': 'tapir',
      'b.md': 'tapir with more words',
      'c.md': 'ibex',
    });
    okBody(await client.rebuild(project));
    const counts = () =>
      chunksIn(project.database).map(({ retrieval_count, last_retrieved_at }) => [
        retrieval_count,
        last_retrieved_at,
      ]);
    const begin = new Date().toISOString();
    expect(await client.ids(project, 'tapir', { maxResults: 1 })).toEqual(['a.md#0']);
    expect(counts()).toEqual([
      [1, expect.stringMatching(ISO_DATE)],
      [0, null],
      [0, null],
    ]);
    const at = String(counts()[0]?.[1]);
    expect(at >= begin && at <= new Date().toISOString()).toBe(true);
    await client.results(project, 'tapir');
    await client.results(project, '!!!');
    await client.results(project, 'tapir', { maxTokens: 1 });
    await client.stats(project);
    expect(counts().map(([count]) => count)).toEqual([2, 1, 0]);
    const unchanged = chunksIn(project.database)[0];
    expect(unchanged?.updated_at).toBe(unchanged?.created_at);
  });

  test('no search waits for a lock of another process, and its counts follow', async () => {
    const project = projects.make({ 'a.md': 'the tapir' });
    const indexing = await startClient(variant);
    okBody(await indexing.rebuild(project));
    await indexing.service.stop();
    const other = new Database(project.database);
    other.exec('BEGIN IMMEDIATE');
    // Each would wait 15 s for the lock, and the test has a minute.
    for (let i = 0; i < 25; i += 1) expect(await client.ids(project, 'tapir')).toEqual(['a.md#0']);
    other.exec('COMMIT');
    other.close();
    const counts = () => chunksIn(project.database).map((chunk) => chunk.retrieval_count);
    await eventually(() => counts()[0] === 25);
  });

  test('chunks that another program inserts are found at once', async () => {
    const project = projects.make();
    okBody(await client.open(project));
    insertChunk(project.database, {
      id: 'mine',
      source_type: 'manual',
      content: 'a quetzal',
      heading: 'Birds',
      created_at: '2026-01-02 03:04:05',
      tags: '["x"]',
    });
    const [first] = await client.results(project, 'quetzal');
    expect(first?.chunk).toMatchObject({
      id: 'mine',
      sourceType: 'manual',
      heading: 'Birds',
      tags: ['x'],
    });
    execute(project.database, "UPDATE chunks SET content = 'a motmot' WHERE id = 'mine'");
    expect(await client.ids(project, 'quetzal')).toEqual([]);
    expect(await client.ids(project, 'motmot')).toEqual(['mine']);
    execute(project.database, "DELETE FROM chunks WHERE id = 'mine'");
    expect(await client.ids(project, 'motmot')).toEqual([]);
  });
});
