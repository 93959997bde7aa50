import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ISO_DATE } from '../support/database-inspection.js';
import { type Client, okBody, startClient, VARIANTS } from '../support/running-service-calls.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

const projects = testProjects();

const FILES = {
  'README.md':
    '---\ntags: [guide, start]\nimportance: 0.9\n---\n## Quokka setup\nThe quokka must be fed.\n',
  'docs/plain.md': 'A zebra paragraph without any heading.\n',
  '.knowledge/features/f-1/reflection.md': '## Walrus\nThe walrus likes ice.\n',
  '.knowledge/features/f-1/agent-output.md': 'Done with the walrus.',
};
const CHUNK = {
  id: 'README.md#0',
  sourceType: 'file',
  sourceFile: 'README.md',
  heading: 'Quokka setup',
  content: 'The quokka must be fed.',
  tags: ['guide', 'start'],
  importance: 0.9,
};
const COUNTS = { file: 2, reflection: 1, agent_output: 1, manual: 0, generated: 0 };
const DATE = expect.stringMatching(ISO_DATE);

describe.each(VARIANTS)('the bodies of the %s variant', (variant) => {
  const isHybrid = variant === 'hybrid';
  let client: Client;
  let project: TempProject;
  beforeAll(async () => {
    client = await startClient(variant);
    project = projects.make(FILES);
    okBody(await client.rebuild(project));
  });
  afterAll(() => client.service.stop());

  test('the response of a search is exactly as specified', async () => {
    const { path: projectPath } = project;
    const full = { ...CHUNK, projectPath, chunkIndex: 0, createdAt: DATE, updatedAt: DATE };
    const results = [{ chunk: isHybrid ? CHUNK : full, score: expect.any(Number) }];
    const unknown = isHybrid ? {} : { explain: 'yes', fusion: 7, candidates: [] };
    const body = okBody(await client.search(project, 'quokka', unknown));
    expect(body).toEqual(
      isHybrid ? { results, retrieval_mode: 'bm25', totalTokens: 6 } : { success: true, results },
    );
    const { score } = body.results[0];
    expect(isHybrid ? score === 2 / 61 : score < 0).toBe(true);
    const [bare] = await client.results(project, 'zebra');
    expect(bare?.chunk).not.toHaveProperty('heading');
    expect(bare?.chunk).not.toHaveProperty('tags');
  });

  test('the responses of stats and rebuild are exactly as specified', async () => {
    const stats = {
      totalChunks: 4,
      totalSizeBytes: expect.any(Number),
      uniqueSources: 4,
      sourceTypeBreakdown: isHybrid ? COUNTS : { ...COUNTS, url: 0 },
      lastUpdated: DATE,
      dbPath: project.database,
      ...(isHybrid && { enabledHybridRetrieval: false }),
    };
    const expected = isHybrid ? stats : { success: true, stats };
    expect(okBody(await client.rebuild(project))).toEqual(expected);
    const body = okBody(await client.stats(project));
    expect(body).toEqual(expected);
    expect((body.stats ?? body).totalSizeBytes).toBe(statSync(project.database).size);
  });

  test('an empty project has stats without lastUpdated and finds nothing', async () => {
    const empty = projects.make();
    const body = okBody(await client.stats(empty));
    const stats = body.stats ?? body;
    expect(stats).toMatchObject({ totalChunks: 0, uniqueSources: 0 });
    expect(stats).not.toHaveProperty('lastUpdated');
    expect(await client.results(empty, 'anything')).toEqual([]);
  });

  test.runIf(!isHybrid)('no settings are read, and / is the description of the API', async () => {
    project.writeSettings({ autoReindex: false, excludePatterns: ['**/*.md'] });
    okBody(await client.rebuild(project));
    expect(await client.ids(project, 'zebra')).toEqual(['docs/plain.md#0']);
    project.write('.knowledge/settings.json', '{ not json');
    okBody(await client.rebuild(project));
    expect(client.service.stderr()).not.toContain('settings');
    const { text } = await client.service.get('/');
    expect(text).toContain('<title>API');
  });
});
