import { renameSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunksIn, execute, rowsOf, verifyDatabase } from '../support/database-inspection.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';

const projects = new TempProjects();
afterAll(() => projects.removeAll());

describe('reading sources again', () => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient('hybrid');
  });
  afterAll(() => client.service.stop());

  const rebuild = async (project: TempProject) => okBody(await client.rebuild(project));

  test('an edit replaces what changed, with its vector and questions, and keeps the rest', async () => {
    const project = projects.make({ 'a.md': '## A\nthe ibex\n## B\nthe gnu' });
    await rebuild(project);
    enrich(project, 'a.md#0');
    enrich(project, 'a.md#1');
    project.write('a.md', '## A\nthe ibex\n## B\nthe okapi');
    await rebuild(project);
    const [kept, changed] = chunksIn(project.database);
    expect(kept).toMatchObject(enriched);
    expect(changed).toMatchObject({
      content: 'the okapi',
      retrieval_count: 0,
      hype_queries: null,
      hype_embeddings: null,
      last_retrieved_at: null,
    });
    expect(changed?.created_at).not.toBe(enriched.created_at);
    expect(vectors(project)).toEqual(['a.md#0']);
    expect(await client.results(project, 'gnu')).toEqual([]);
    expect(await client.ids(project, 'okapi')).toEqual(['a.md#1']);
    verifyDatabase(project.database);
  });

  test('a file that is deleted, renamed or emptied loses its chunks', async () => {
    const project = projects.make({
      'a.md': 'ibex a',
      'b.md': 'ibex b',
      'c.md': 'ibex c',
      'd.md': 'ibex d',
    });
    project.writeReflection('f', 'ibex in a reflection');
    project.writeOutput('f', 'ibex in an output');
    project.writeMemory('m', 'ibex in a memory');
    await rebuild(project);
    project.delete('a.md');
    renameSync(project.at('b.md'), project.at('e.md'));
    project.write('c.md', '');
    await rebuild(project);
    expect((await client.ids(project, 'ibex')).toSorted()).toEqual([
      '.knowledge/features/f/agent-output.md#0',
      '.knowledge/features/f/reflection.md#0',
      '.knowledge/memory/m.md#0',
      'd.md#0',
      'e.md#0',
    ]);
    for (const path of ['.knowledge/features', '.knowledge/memory', 'd.md', 'e.md'])
      project.delete(path);
    expect((await rebuild(project)).totalChunks).toBe(0);
    verifyDatabase(project.database);
  });
});

describe('ingest routes', () => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient('hybrid');
  });
  afterAll(() => client.service.stop());

  test('answer the same number again, and count what the index holds', async () => {
    const project = projects.make();
    for (const id of ['a', 'b', 'c']) {
      project.writeReflection(id, `reflection ${id}`);
      project.writeOutput(id, `output ${id}`);
    }
    for (const kind of ['reflections', 'agent-outputs'] as const) {
      expect(await client.indexed(project, kind)).toBe(3);
      expect(await client.indexed(project, kind)).toBe(3);
    }
    project.writeReflection('a', 'changed');
    project.writeReflection('d', 'new');
    project.delete('.knowledge/features/b');
    expect(await client.indexed(project, 'reflections')).toBe(3);
    expect(chunksIn(project.database).map((row) => row.source_file)).toEqual([
      '.knowledge/features/a/agent-output.md',
      '.knowledge/features/a/reflection.md',
      '.knowledge/features/b/agent-output.md',
      '.knowledge/features/c/agent-output.md',
      '.knowledge/features/c/reflection.md',
      '.knowledge/features/d/reflection.md',
    ]);
    expect(await client.indexed(project, 'agent-outputs')).toBe(2);
    expect(chunksIn(project.database)).toHaveLength(5);
  });

  test('many at once on one project leave one generation of every file', async () => {
    const project = projects.make();
    for (let i = 0; i < 20; i += 1) project.writeReflection(`f${i}`, `one ${i}\n\ntwo ${i}`);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        i % 2 === 0 ? client.post('/ingest/reflections', project) : client.rebuild(project),
      ),
    );
    for (const answer of answers) expect(answer.status).toBe(200);
    expect(chunksIn(project.database)).toHaveLength(40);
    verifyDatabase(project.database);
  });
});

const enriched = {
  created_at: '2026-02-03T04:05:06.789Z',
  retrieval_count: 7,
  last_retrieved_at: '2026-03-03T04:05:06.789Z',
  hype_queries: '["a?","b?","c?"]',
  hype_embeddings: Buffer.alloc(1536, 1),
};

/** Gives a chunk everything that it can gather in its life. */
function enrich(project: TempProject, id: string): void {
  execute(
    project.database,
    `UPDATE chunks SET created_at = ?, retrieval_count = ?, last_retrieved_at = ?, hype_queries = ?,
       hype_embeddings = ? WHERE id = ?`,
    ...Object.values(enriched),
    id,
  );
  const model = 'Xenova/all-MiniLM-L6-v2';
  execute(
    project.database,
    'INSERT INTO embeddings VALUES (?, ?, ?, ?)',
    id,
    enriched.hype_embeddings,
    model,
    enriched.created_at,
  );
}

function vectors(project: TempProject): readonly string[] {
  return rowsOf<{ chunk_id: string }>(project.database, 'SELECT chunk_id FROM embeddings').map(
    ({ chunk_id }) => chunk_id,
  );
}
