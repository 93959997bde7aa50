import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunksIn, execute, insertChunk, verifyDatabase } from '../support/database-inspection.js';
import {
  type Client,
  error,
  errorOf,
  okBody,
  startClient,
} from '../support/running-service-calls.js';
import { TempProjects } from '../support/temp-project.js';

const projects = new TempProjects();
let client: Client;
beforeAll(async () => {
  client = await startClient('hybrid');
});
afterAll(async () => {
  await client.service.stop();
  projects.removeAll();
});

const ago = (days: number, minutes = 0) =>
  new Date(Date.now() - days * 86_400_000 + minutes * 60_000).toISOString();

describe('x/prune', () => {
  test('takes what was never retrieved and is at least 90 days old, by its own rule', async () => {
    const project = projects.make();
    okBody(await client.open(project));
    const rows = {
      'old-90': { created_at: ago(90) },
      'old-500': { created_at: ago(500) },
      'old-89': { created_at: ago(90, 5) },
      fresh: { created_at: ago(0) },
      future: { created_at: ago(-10) },
      'counted-old': { created_at: ago(500), retrieval_count: 1 },
      'reset-old': { created_at: ago(500), last_retrieved_at: ago(91) },
      'reset-new': { created_at: ago(500), last_retrieved_at: ago(89) },
      'sqlite-date': { created_at: '2020-01-01 00:00:00' },
    };
    for (const [id, row] of Object.entries(rows))
      insertChunk(project.database, { id, content: 'tapir', source_file: `s/${id}`, ...row });
    const stale = ['old-500', 'old-90', 'reset-old', 'sqlite-date'];
    const dry = okBody(await client.post('/x/prune', project, { dryRun: true }));
    expect(Object.keys(dry).sort()).toEqual(['chunks', 'deleted']);
    expect(dry.deleted).toBe(4);
    expect(chunksIn(project.database)).toHaveLength(9);
    const pruned = okBody(await client.post('/x/prune', project));
    expect(pruned.deleted).toBe(4);
    expect(pruned.chunks.map((chunk: { id: string }) => chunk.id).toSorted()).toEqual(stale);
    for (const chunk of pruned.chunks) {
      expect(chunk).toEqual({
        id: chunk.id,
        sourceFile: `s/${chunk.id}`,
        reason: expect.stringMatching(/\S/),
      });
    }
    expect(chunksIn(project.database).map(({ id }) => id)).not.toEqual(
      expect.arrayContaining(stale),
    );
    expect(chunksIn(project.database)).toHaveLength(5);
    expect(okBody(await client.post('/x/prune', project, { dryRun: null }))).toEqual({
      deleted: 0,
      chunks: [],
    });
    verifyDatabase(project.database);
  });

  test('what it took stays away from ingestions, and comes back with a rebuild', async () => {
    const project = projects.make();
    project.writeReflection('f-1', 'tapir\n\nokapi');
    const ingested = async () => okBody(await client.post('/ingest/reflections', project)).indexed;
    const ids = () => chunksIn(project.database).map(({ id }) => id);
    expect(await ingested()).toBe(1);
    const all = ids();
    const since = ago(400);
    execute(project.database, `UPDATE chunks SET created_at = '${since}'`);
    await client.results(project, 'tapir');
    expect(okBody(await client.post('/x/prune', project)).deleted).toBe(1);

    expect(await ingested()).toBe(1);
    expect(ids()).toEqual(all.slice(0, 1));

    okBody(await client.rebuild(project));
    const [kept, restored] = chunksIn(project.database);
    expect(ids()).toEqual(all);
    expect(kept).toMatchObject({ content: 'tapir', created_at: since, retrieval_count: 1 });
    expect(Date.parse(restored?.created_at ?? '')).toBeGreaterThan(Date.parse(ago(1)));
    expect(await client.results(project, 'okapi')).toHaveLength(1);
    verifyDatabase(project.database);
  });
});

describe('x/compact without a small model', () => {
  test('says what it would do, and 503 where it would have to', async () => {
    const project = projects.make();
    project.writeMemory('notes', `${'many words here '.repeat(100)}`);
    const compact = (fields: object) => client.post('/x/compact', project, fields);
    const dry = okBody(await compact({ category: 'notes', dryRun: true, threshold: 10 }));
    expect(Object.keys(dry).sort()).toEqual(['compacted', 'reason', 'tokensAfter', 'tokensBefore']);
    expect(dry).toMatchObject({ compacted: false, tokensBefore: 390, tokensAfter: 390 });
    const over = await compact({ category: 'notes', threshold: 10 });
    expect(errorOf(over)).toEqual(error(503, 'model_unavailable'));
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(errorOf(await compact({ category: 'none' }))).toEqual(error(404, 'category_not_found'));
    for (const category of ['../notes', 'a/b', '.', '_index', 'a.b', '', 7, null]) {
      expect(errorOf(await compact({ category }))).toEqual(error(400, 'invalid_request'));
    }
  });
});

describe('x/status without weights', () => {
  test('every chunk is pending, and search is bm25', async () => {
    const project = projects.make({ 'a.md': 'tapir\n\nokapi' });
    const stats = okBody(await client.rebuild(project));
    expect(stats.enabledHybridRetrieval).toBe(false);
    const status = okBody(await client.status(project));
    expect(status.embeddings).toEqual({ complete: 0, pending: 2 });
    expect(status.hype).toEqual({ complete: 0, pending: 2 });
    expect(['absent', 'failed', 'idle', 'loading']).toContain(status.model.state);
    expect(okBody(await client.search(project, 'tapir')).retrieval_mode).toBe('bm25');
  });
});
