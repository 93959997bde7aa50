import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ISO_DATE } from '../support/database-inspection.js';
import { type Client, okBody, startClient, VARIANTS } from '../support/running-service-calls.js';
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
});

describe('what only the search-only variant does', () => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient('search-only');
  });
  afterAll(() => client.service.stop());

  test('a browser finds the description of the API in place of a console', async () => {
    const { text } = await client.service.get('/', { Accept: 'text/html' });
    expect(text).toContain('<title>API');
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
