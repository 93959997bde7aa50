import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  execute,
  insertChunk,
  SPECIFIED_SCHEMA,
  verifyDatabase,
} from '../support/database-inspection.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';

const projects = new TempProjects();
afterAll(() => projects.removeAll());

/** A value that this service would never write into the column, and what a search returns for it. */
const ODD: readonly (readonly [column: string, value: unknown, shown: object])[] = [
  ['importance', 'high', { importance: 0.5 }],
  ['importance', '0.9', { importance: 0.9 }],
  ['importance', null, { importance: 0.5 }],
  ['importance', Number.POSITIVE_INFINITY, { importance: 0.5 }],
  ['importance', Buffer.from([1]), { importance: 0.5 }],
  ['tags', 'no JSON', {}],
  ['tags', '{"a":1}', {}],
  ['tags', '["a",1,null]', { tags: ['a'] }],
  ['tags', 7, {}],
  ['chunk_index', 'third', { chunkIndex: 0 }],
  ['chunk_index', -3, { chunkIndex: 0 }],
  ['chunk_index', 1e20, { chunkIndex: 0 }],
  ['chunk_index', 1.5, { chunkIndex: 0 }],
  ['chunk_index', null, { chunkIndex: 0 }],
  ['heading', Buffer.from('title'), { heading: 'title' }],
  ['source_type', 'diary', { sourceType: 'diary' }],
  ['source_type', null, { sourceType: '' }],
  ['source_file', null, { sourceFile: '' }],
  ['created_at', 'yesterday', { createdAt: 'yesterday' }],
  ['updated_at', null, { updatedAt: '' }],
  ['retrieval_count', 'often', {}],
];

/** In the variant that shows all fields of a chunk. */
describe('rows of another program with odd values', () => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient('search-only');
  });
  afterAll(() => client.service.stop());

  test('are each shown in a usable form, counted, and survive a rebuild', async () => {
    const project = looseProject();
    for (const [number, [column, value]] of ODD.entries()) {
      const row = { id: `odd${number}`, content: `quokka q${number}`, [column]: value };
      insertChunk(project.database, row);
    }
    for (const [number, [column, value, shown]] of ODD.entries()) {
      const results = await client.results(project, `q${number}`);
      const odd = { id: `odd${number}`, content: `quokka q${number}`, ...shown };
      expect([column, value, results]).toEqual([
        column,
        value,
        [expect.objectContaining({ chunk: expect.objectContaining(odd) })],
      ]);
      expect(Object.hasOwn(results[0]?.chunk ?? {}, 'tags')).toBe('tags' in shown);
    }
    expect(okBody(await client.stats(project)).stats.totalChunks).toBe(ODD.length);
    okBody(await client.rebuild(project));
  });

  test('content that is NULL is found by its heading and shown as empty', async () => {
    const project = looseProject();
    insertChunk(project.database, {
      id: 'empty',
      heading: 'quokka',
      content: null as unknown as string,
    });
    const [result] = await client.results(project, 'quokka');
    expect(result?.chunk).toMatchObject({ id: 'empty', heading: 'quokka', content: '' });
    verifyDatabase(project.database);
  });

  test('an unknown source type counts in the total but is missing from the breakdown', async () => {
    const project = looseProject();
    insertChunk(project.database, { id: 'a', content: 'quokka', source_type: 'diary' });
    insertChunk(project.database, { id: 'b', content: 'quokka', source_type: 'file' });
    const { totalChunks, sourceTypeBreakdown } = okBody(await client.stats(project)).stats;
    expect(totalChunks).toBe(2);
    expect(Object.keys(sourceTypeBreakdown)).not.toContain('diary');
    expect(Object.values<number>(sourceTypeBreakdown).reduce((a, b) => a + b)).toBe(1);
    expect(await client.ids(project, 'quokka', { sourceTypes: ['file'] })).toEqual(['b']);
  });
});

/** A project whose database another program made, without constraints on its columns. */
function looseProject(): TempProject {
  const project = projects.make({});
  mkdirSync(project.at('.knowledge'));
  execute(project.database, SPECIFIED_SCHEMA.replaceAll(/ NOT NULL/g, ''));
  return project;
}
