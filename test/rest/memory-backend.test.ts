import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Client, okBody, startClient, VARIANTS } from '../support/running-service-calls.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';

const projects = new TempProjects();
afterEach(() => projects.removeAll());

const NOTES = '## Otters\nAn otter sleeps on its back.\n\n## Beavers\nA beaver builds dams.\n';

describe.each(VARIANTS)('the service with KNOWLEDGE_STORE=memory, %s', (variant) => {
  let client: Client;
  beforeAll(async () => {
    client = await startClient(variant, { KNOWLEDGE_STORE: 'memory' });
  });
  afterAll(() => client.service.stop());

  test('indexes, searches and counts without writing anything into the project', async () => {
    const project = projects.make({ 'docs/animals.md': NOTES });
    okBody(await client.rebuild(project));
    expect(await client.ids(project, 'otter')).toEqual(['docs/animals.md#0']);
    const { stats = undefined, ...shown } = okBody(await client.stats(project));
    expect(stats ?? shown).toMatchObject({
      totalChunks: 2,
      uniqueSources: 1,
      sourceTypeBreakdown: { file: 2 },
    });
    expect(filesOf(project)).toEqual(['docs', 'docs/animals.md']);
  });
});

function filesOf(project: TempProject): readonly string[] {
  return readdirSync(project.path, { recursive: true }).map(String).toSorted();
}
