import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKnowledgeStore, type RunningKnowledgeStore } from '../../../src/index.js';

/** Files whose names say what their text does not. */
const FILES = {
  'docs/one.md': '# Connection pooling\n\n## Size\nTen of them.\n',
  'docs/two.md':
    '---\ntitle: "Retries: how often"\naliases: [backoff, Wiederholung]\ndescription: What waits between attempts\n---\n## Times\nThree.\n',
  'docs/adr-0031-token-bucket.md': '## Decision\nOne per tenant.\n',
  'docs/billing/rateLimits.md': '## Numbers\nFive a second.\n',
  '.knowledge/features/offline-sync/reflection.md': '## What went wrong\nThe clock.\n',
};

let project: string;
let running: RunningKnowledgeStore;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'names-'));
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), text);
  }
  running = createKnowledgeStore({
    dataDir: join(project, 'data'),
    downloads: 'forbidden',
    logger: 'silent',
  });
  await running.store.readAllSources(project);
});

afterAll(async () => {
  await running.stop();
  await rm(project, { recursive: true });
});

describe('a file is found', () => {
  it.each([
    ['the exact title above its sections', 'Connection pooling', 'docs/one.md'],
    ['the title of its frontmatter', 'how often are retries made', 'docs/two.md'],
    ['an alias', 'backoff', 'docs/two.md'],
    ['its description', 'waiting between attempts', 'docs/two.md'],
    ['words of its name', 'token bucket', 'docs/adr-0031-token-bucket.md'],
    ['its name', 'adr-0031-token-bucket.md', 'docs/adr-0031-token-bucket.md'],
    ['a folder of its path', 'billing', 'docs/billing/rateLimits.md'],
    ['a part of a word in its name', 'limits', 'docs/billing/rateLimits.md'],
    ['the id of its feature', 'offline sync', '.knowledge/features/offline-sync/reflection.md'],
  ])('by %s', async (_, query, file) => {
    const { results } = await running.store.find(project, query);
    expect(results[0]?.chunk.sourceFile).toBe(file);
  });

  it('not by the folders and endings that every file has', async () => {
    for (const query of ['features', 'reflection', 'knowledge', 'md']) {
      expect((await running.store.find(project, query)).results).toEqual([]);
    }
  });
});
