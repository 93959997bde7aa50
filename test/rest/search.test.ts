import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { chunksIn, execute, ISO_DATE, insertChunk } from '../support/database-inspection.js';
import { asShipped, eventually } from '../support/running-service.js';
import { type Client, okBody, startClient, VARIANTS } from '../support/running-service-calls.js';
import { testProjects } from '../support/test-projects.js';

asShipped();

const projects = testProjects();

describe.each(VARIANTS)('search in the %s variant', (variant) => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient(variant);
  });
  afterAll(() => client.service.stop());

  test('the returned chunks, and only they, are counted before the answer', async () => {
    const project = projects.make({ 'a.md': 'tapir', 'b.md': 'tapir with words', 'c.md': 'ibex' });
    okBody(await client.rebuild(project));
    const begin = new Date().toISOString();
    expect(await client.ids(project, 'tapir', { maxResults: 1 })).toEqual(['a.md#0']);
    const [counted, ...others] = chunksIn(project.database);
    expect(counted).toMatchObject({ retrieval_count: 1, updated_at: counted?.created_at });
    const at = String(counted?.last_retrieved_at);
    expect(at).toMatch(ISO_DATE);
    expect(at >= begin && at <= new Date().toISOString()).toBe(true);
    for (const other of others) {
      expect(other).toMatchObject({ retrieval_count: 0, last_retrieved_at: null });
    }
  });

  test('no search waits for a lock of another process, and its counts follow', async () => {
    const project = projects.make({ 'a.md': 'the tapir' });
    const indexing = await startClient(variant);
    okBody(await indexing.rebuild(project));
    await indexing.service.stop();
    const other = openDatabase(project.database);
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

  test.runIf(variant === 'hybrid')(
    'settings that are not JSON are reported once by each worker that reads them',
    async () => {
      const project = projects.make({ 'a.md': 'a tapir', '.knowledge/settings.json': '{ no json' });
      okBody(await client.rebuild(project));
      await Promise.all(Array.from({ length: 8 }, () => client.ids(project, 'tapir')));
      const lines = client.service
        .stderr()
        .split('\n')
        .filter((line) => line.includes(project.path));
      const warnings = lines.filter((line) => line.includes('invalid entries')).length;
      expect(warnings).toBeGreaterThan(0);
      expect(warnings).toBeLessThanOrEqual(2);
    },
  );
});
