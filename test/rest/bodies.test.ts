import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ISO_DATE, insertChunk } from '../support/database-inspection.js';
import {
  API,
  type Client,
  okBody,
  startClient,
  VARIANTS,
} from '../support/running-service-calls.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';

const projects = new TempProjects();
afterAll(() => projects.removeAll());

const FILES = {
  'README.md':
    '---\ntags: [guide, start]\nimportance: 0.9\n---\n## Quokka setup\nThe quokka must be fed.\n',
  'docs/plain.md': 'A zebra paragraph without any heading.\n',
  '.knowledge/features/f-1/reflection.md': '## Walrus\nThe walrus likes ice.\n',
  '.knowledge/features/f-1/agent-output.md': 'Done with the walrus.',
};
const STATS_KEYS = [
  'dbPath',
  'lastUpdated',
  'sourceTypeBreakdown',
  'totalChunks',
  'totalSizeBytes',
  'uniqueSources',
];

describe.each(VARIANTS)('the bodies of the %s variant', (variant) => {
  let client: Client;
  let project: TempProject;
  let empty: TempProject;
  beforeAll(async () => {
    client = await startClient(variant);
    project = projects.make(FILES);
    empty = projects.make();
    okBody(await client.rebuild(project));
  });
  afterAll(() => client.service.stop());

  test('a search returns exactly the specified keys', async () => {
    const body = okBody(await client.search(project, 'quokka'));
    expect(Object.keys(body).sort()).toEqual(
      variant === 'hybrid' ? ['results', 'retrieval_mode', 'totalTokens'] : ['results', 'success'],
    );
    if (variant === 'search-only') expect(body.success).toBe(true);
    else expect(body).toMatchObject({ retrieval_mode: 'bm25', totalTokens: 6 });
    expect(body.results).toHaveLength(1);
    expect(Object.keys(body.results[0]).sort()).toEqual(['chunk', 'score']);
    expect(body.results[0].score).toBeLessThan(0);
  });

  test('a chunk has exactly the fields of its variant', async () => {
    const { chunk } = okBody(await client.search(project, 'quokka')).results[0];
    const common = {
      id: 'README.md#0',
      sourceType: 'file',
      sourceFile: 'README.md',
      heading: 'Quokka setup',
      content: 'The quokka must be fed.',
      tags: ['guide', 'start'],
      importance: 0.9,
    };
    expect(chunk).toEqual(
      variant === 'hybrid'
        ? common
        : {
            ...common,
            projectPath: project.path,
            chunkIndex: 0,
            createdAt: expect.stringMatching(ISO_DATE),
            updatedAt: expect.stringMatching(ISO_DATE),
          },
    );
  });

  test('a chunk without heading and tags has no such keys', async () => {
    const { chunk } = okBody(await client.search(project, 'zebra')).results[0];
    expect(Object.keys(chunk)).not.toContain('heading');
    expect(Object.keys(chunk)).not.toContain('tags');
  });

  test('tags are absent when another program wrote an empty list, no list or null', async () => {
    const own = projects.make();
    okBody(await client.open(own));
    for (const [i, tags] of ['[]', 'no json', null, '{"a":1}'].entries()) {
      insertChunk(own.database, {
        id: `m${i}`,
        content: `capybara ${i}`,
        tags,
        source_type: 'manual',
      });
    }
    const found = await client.results(own, 'capybara');
    expect(found).toHaveLength(4);
    for (const { chunk } of found) expect(chunk).not.toHaveProperty('tags');
  });

  test('stats have exactly the keys and types of the variant', async () => {
    const body = okBody(await client.stats(project));
    const stats = variant === 'search-only' ? body.stats : body;
    if (variant === 'search-only') expect(Object.keys(body).sort()).toEqual(['stats', 'success']);
    expect(Object.keys(stats).sort()).toEqual(
      variant === 'hybrid' ? [...STATS_KEYS, 'enabledHybridRetrieval'].sort() : STATS_KEYS,
    );
    expect(stats).toMatchObject({
      totalChunks: 4,
      uniqueSources: 4,
      dbPath: project.database,
      lastUpdated: expect.stringMatching(ISO_DATE),
    });
    expect(stats.totalSizeBytes).toBe(statSync(project.database).size);
    const counts = { file: 2, reflection: 1, agent_output: 1, manual: 0, generated: 0 };
    expect(stats.sourceTypeBreakdown).toEqual(
      variant === 'hybrid' ? counts : { ...counts, url: 0 },
    );
    if (variant === 'hybrid') expect(stats.enabledHybridRetrieval).toBe(false);
  });

  test('an empty project has stats without lastUpdated and finds nothing', async () => {
    const body = okBody(await client.stats(empty));
    const stats = variant === 'search-only' ? body.stats : body;
    expect(stats).toMatchObject({ totalChunks: 0, uniqueSources: 0 });
    expect(stats).not.toHaveProperty('lastUpdated');
    expect(await client.results(empty, 'anything')).toEqual([]);
  });

  test('rebuild returns the same as stats', async () => {
    const rebuilt = okBody(await client.rebuild(project));
    const stats = okBody(await client.stats(project));
    const withoutSize = (body: Record<string, unknown>) => {
      const { totalSizeBytes: _, ...rest } = (body['stats'] ?? body) as Record<string, unknown>;
      return rest;
    };
    expect(withoutSize(rebuilt)).toEqual(withoutSize(stats));
    expect(Object.keys(rebuilt).sort()).toEqual(Object.keys(stats).sort());
  });

  test("a request's null counts as absent, and unknown fields are ignored", async () => {
    const body = okBody(
      await client.search(project, 'walrus', {
        maxResults: null,
        maxTokens: null,
        sourceTypes: null,
        explain: null,
        fusion: null,
        candidates: null,
        colour: 'green',
        constructor: 1,
        MaxResults: 0,
      }),
    );
    expect(body.results).toHaveLength(2);
    expect(body).not.toHaveProperty('explain');
  });

  test('responses are JSON in UTF-8', async () => {
    const answer = await client.stats(project);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json(;\s*charset=utf-8)?$/i);
  });
});

describe('what only the search-only variant does', () => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient('search-only');
  });
  afterAll(() => client.service.stop());

  test('explain, fusion and candidates are ignored, even invalid ones', async () => {
    const project = projects.make(FILES);
    okBody(await client.rebuild(project));
    const body = okBody(
      await client.search(project, 'quokka', { explain: true, fusion: 'nonsense', candidates: 7 }),
    );
    expect(Object.keys(body).sort()).toEqual(['results', 'success']);
    expect(body.results).toHaveLength(1);
  });

  test.each([
    ['POST', '/ingest/reflections'],
    ['POST', '/ingest/agent-outputs'],
    ['POST', '/x/prune'],
    ['POST', '/x/similar'],
    ['GET', '/x/status'],
  ])('%s %s is not one of its routes', async (method, path) => {
    const answer = await client.service.request(API + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{}' }),
    });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });

  test('settings.json of a project is not read', async () => {
    const project = projects.make({ 'a.md': 'one ibex', 'b.md': 'two ibex' });
    project.writeSettings({ autoReindex: false, excludePatterns: ['**/*.md'] });
    okBody(await client.rebuild(project));
    expect(await client.results(project, 'ibex')).toHaveLength(2);
    project.write('.knowledge/settings.json', '{ not json');
    okBody(await client.rebuild(project));
    expect(client.service.stderr()).not.toContain('settings');
  });
});

describe('what only the hybrid variant does', () => {
  let client: Client;
  let project: TempProject;
  beforeAll(async () => {
    client = await startClient('hybrid');
    project = projects.make(FILES);
  });
  afterAll(() => client.service.stop());

  test('ingest routes answer how many files the index holds', async () => {
    for (const kind of ['reflections', 'agent-outputs']) {
      expect(okBody(await client.post(`/ingest/${kind}`, project))).toEqual({ indexed: 1 });
    }
  });

  test('explain: true adds one key, which says how it came about', async () => {
    okBody(await client.rebuild(project));
    const body = okBody(
      await client.search(project, 'walrus ice', { explain: true, maxResults: 1 }),
    );
    expect(Object.keys(body).sort()).toEqual([
      'explain',
      'results',
      'retrieval_mode',
      'totalTokens',
    ]);
    expect(body.explain).toEqual({
      query: { kind: 'plain', terms: ['walrus', 'ice'] },
      mode: { value: 'bm25', reason: expect.stringMatching(/model/) },
      candidates: { allWords: 1, anyWord: 1 },
      results: [
        {
          id: expect.any(String),
          score: expect.any(Number),
          keywordRank: 1,
          keywordScore: expect.any(Number),
          tokens: 6,
        },
      ],
      budget: {
        maxResults: 1,
        maxTokens: 8000,
        usedTokens: 6,
        cut: 1,
        reason: 'maxResults reached',
      },
      notes: [],
    });
    const structured = okBody(await client.search(project, '"walrus likes"', { explain: true }));
    expect(structured.explain).toMatchObject({
      query: { kind: 'structured', terms: ['walrus likes'] },
      candidates: { structured: 1 },
      budget: { cut: 0, reason: 'nothing cut' },
    });
    const without = okBody(await client.search(project, 'walrus', { explain: false }));
    expect(without).not.toHaveProperty('explain');
  });

  test('status has all of its keys, always', async () => {
    const body = okBody(await client.status(projects.make()));
    expect(body).toEqual({
      embeddings: { complete: 0, pending: 0 },
      hype: { complete: 0, pending: 0 },
      model: {
        name: 'Xenova/all-MiniLM-L6-v2',
        state: expect.stringMatching(/^(absent|idle|loading|ready|failed)$/),
      },
    });
  });
});
