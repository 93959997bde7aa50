import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { configFrom } from '../../../src/app/config/read-config.js';
import type { ComposedService } from '../../../src/app/service/service.js';
import { composeService } from '../../../src/app/wiring/container.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { TempProject, tempDirectory } from '../../support/temp-project.js';

let project: TempProject;
let embedder: FakeEmbedder;
let service: ComposedService;

beforeEach(() => {
  project = new TempProject({ 'docs/a.md': '## Ibex\nThe ibex climbs the cliff.\n' });
  embedder = FakeEmbedder.ready();
  const config = configFrom({ dataDir: join(tempDirectory(), 'data') });
  const ports = { embedder, logger: new SilentLogger() };
  const host = { ports, userNotes: config, background: 'later' } as const;
  service = composeService(config, host);
});
afterEach(async () => {
  await service.stop();
  project.remove();
});

it('is a query that searches a project and the notes of the user', async () => {
  const projectPath = project.path;
  const note = { title: 'Okapi', content: 'The okapi and the ibex hide.', scope: 'user' } as const;
  await service.notes.add({ projectPath, ...note });
  await service.indexing.ingest({ projectPath });
  embedder.embedded.length = 0;
  const { results } = await service.search.read({ projectPath, query: 'ibex' });
  expect(results.map(({ scope }) => scope).toSorted()).toEqual(['project', 'user']);
  expect(embedder.embedded).toEqual(['ibex']);
});

it('is a note that is compared with the chunks of its project', async () => {
  const projectPath = project.path;
  await service.indexing.ingest({ projectPath });
  const note = { title: 'Ibex', content: 'The ibex climbs a cliff.' };
  embedder.embedded.length = 0;
  await service.notes.add({ projectPath, ...note });
  const text = 'Ibex. The ibex climbs a cliff.';
  expect(embedder.embedded.filter((one) => one === text)).toEqual([text]);
});
