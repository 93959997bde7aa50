import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { webPages } from '../../../src/adapters/http/console/web-pages.js';
import { HttpServer } from '../../../src/adapters/http/server/http-server.js';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import type { Variant } from '../../../src/app/config/config.js';
import { configOf } from '../../../src/app/config/read-config.js';
import type { ComposedService } from '../../../src/app/service.js';
import { composeService } from '../../../src/app/wiring/compose-service.js';
import { embedderModule } from '../../../src/app/wiring/embedder-module.js';
import { hostOptionsOf } from '../../../src/app/wiring/replaceable-ports.js';
import { routesOf } from '../../../src/app/wiring/routes.js';
import { isRecord } from '../../../src/domain/records.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { FakeLessonExtractor } from '../../fakes/fake-lesson-extractor.js';
import { FakePageFetcher } from '../../fakes/fake-page-fetcher.js';
import { FakeSummarizer } from '../../fakes/fake-summarizer.js';
import { QuietMonitor } from '../../fakes/quiet-monitor.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { checkEveryResponse } from '../../support/every-response.js';

/** Runs every `curl` of docs/api.md and compares the response with the JSON block below it, and with the OpenAPI document. */
const DOCUMENTED_PROJECT = '/home/me/project';
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const API = await readFile(join(ROOT, 'docs/api.md'), 'utf8');

const FILES = {
  'docs/old.md': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
  'docs/cars.md':
    '# Vehicles\n\n## Service interval\nA car needs new oil every 15,000 km.\n\n## Tyres\nChange the tyres before winter.\n',
  '.knowledge/memory/database.md':
    '---\ntags: [sqlite, locking]\nimportance: 0.9\n---\n## Database locks\nWriters wait for each other. Keep every transaction short, or readers see "database is locked".\n\n## Migrations\nRun a migration in one transaction and keep a backup.\n',
  'docs/pool.md': '## Connections\nThe pool in `src/pool.ts:1-1` lends twice.\n',
  'src/pool.ts': 'export const pool = makePool();\n',
  '.knowledge/features/login/feature.json':
    '{ "id": "login", "title": "Login", "description": "A form.", "status": "verified", "epicId": "accounts" }',
  '.knowledge/features/login/reflection.md':
    '---\ntags: [session]\n---\n## What went wrong\nThe session cookie was not renewed after the password changed.\n\n## What to do next time\nWrite the test for the expired session first.\n',
  '.knowledge/features/login/agent-output.md':
    'Added the login form and the session store.\nAll 14 tests pass. The session cookie is now renewed.\n',
  '.knowledge/features/password-reset/feature.json':
    '{ "id": "password-reset", "title": "Password reset", "status": "in_progress", "epicId": "accounts" }',
};

checkEveryResponse();

describe.each<Variant>(['search-only', 'hybrid'])('docs/api.md, %s variant', (variant) => {
  let running: Running;

  beforeAll(async () => {
    running = await start(variant);
  });

  afterAll(() => running.stop());

  test.each(examplesOf(variant))('shows what $title answers', async ({ curl, answer }) => {
    expect(shapeOf(await running.call(curl))).toEqual(shapeOf(JSON.parse(answer)));
  });

  test.each(['/metrics', '/openapi.json', '/docs', '/health', '/ready'])(
    'has %s exactly if it is served',
    async (path) => {
      const isServed = (await running.get(path)).status !== 404;
      expect(API.includes(`\n### \`GET ${path}\`\n`)).toBe(isServed);
    },
  );
});

test('docs/api.md has an example for every route and for explain and errors', () => {
  const documents = ['`GET /metrics`', '`GET /openapi.json`', '`GET /docs`'];
  const titles = [...API.matchAll(/^### (`.*`)$/gm)].map(([, title = '']) => title);
  const examples = [...examplesOf('search-only'), ...examplesOf('hybrid')];
  expect(titles.length).toBeGreaterThan(documents.length);
  expect(examples.map(({ title }) => title).toSorted()).toEqual(
    [
      ...titles.filter((title) => !documents.includes(title)),
      'What `explain` says',
      'Errors',
    ].toSorted(),
  );
});

test('the curl of every route asks for that route', () => {
  for (const { title, curl } of [...examplesOf('search-only'), ...examplesOf('hybrid')]) {
    const { method, path } = requestOf(curl);
    const pattern = path.replace(/(?<=\/(?:notes|chunks)\/)[^/]+$/, '{id}');
    if (title.startsWith('`')) expect(title).toBe(`\`${method} ${pattern}\``);
  }
});

test('the text of the documented error is that of the service', async () => {
  const running = await start('hybrid');
  try {
    const [example] = examplesOf('hybrid').filter(({ title }) => title === 'Errors');
    expect(await running.call(example?.curl ?? '')).toEqual(JSON.parse(example?.answer ?? ''));
  } finally {
    await running.stop();
  }
});

interface Example {
  readonly title: string;
  readonly curl: string;
  readonly answer: string;
}

/** Everything outside the chapter of the search-only variant is about the hybrid variant. */
function examplesOf(variant: Variant): readonly Example[] {
  const chapters = API.split(/^## /m).slice(1);
  return chapters
    .filter((chapter) => chapter.startsWith('Search-only variant') === (variant === 'search-only'))
    .flatMap((chapter) => chapter.split(/^### /m))
    .flatMap((section) => {
      const pairs = section.matchAll(/^```sh\n([\s\S]*?)^```[\s\S]*?^```json\n([\s\S]*?)^```/gm);
      const title = section.slice(0, section.indexOf('\n'));
      return [...pairs].map(([, curl = '', answer = '']) => ({ title, curl, answer }));
    });
}

interface Running {
  call(curl: string): Promise<unknown>;
  get(path: string): Promise<Response>;
  stop(): Promise<void>;
}

async function start(variant: Variant): Promise<Running> {
  const project = await makeProject();
  const options = {
    variant,
    downloads: 'forbidden',
    logger: new SilentLogger(),
    backends: {
      embedder: FakeEmbedder.ready(),
      lessons: new FakeLessonExtractor(),
      pages: new FakePageFetcher(),
      summarizer: new FakeSummarizer(),
    },
  } as const;
  const config = configOf(options);
  const known = {
    remember: () => undefined,
    list: () => [{ path: project, usedAt: new Date() }],
  };
  const { ports, ...host } = hostOptionsOf(options);
  const service = composeService(
    config,
    { ...host, ports: { ...ports, projectHistory: known } },
    embedderModule,
  );
  await service.indexing.rebuild({ projectPath: project });
  if (variant === 'hybrid') await allEmbedded(service, project);
  await age(service, project);
  await writeFile(join(project, 'src/pool.ts'), 'export const pool = new Pool();\n');
  const server = new HttpServer({
    ...{ logger: service.logger, routes: routesOf(config, service) },
    webPages: await webPages(join(ROOT, 'dist/console'), 'console'),
    host: '127.0.0.1',
    port: 0,
    variant,
    monitor: new QuietMonitor(),
  });
  const url = await server.listen();
  return {
    get: (path) => fetch(`${url}${path}`),
    call: async (curl) => {
      if (variant === 'hybrid') await allEmbedded(service, project);
      return call(url, curl.replaceAll(DOCUMENTED_PROJECT, project));
    },
    stop: async () => {
      await server.close();
      await service.stop();
      await rm(project, { recursive: true });
    },
  };
}

async function makeProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'docs-api-'));
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(project, name)), { recursive: true });
    await writeFile(join(project, name), text);
  }
  return project;
}

async function allEmbedded({ status }: ComposedService, project: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await status.embeddings({ projectPath: project })).pending).toBe(0);
  }, 5000);
}

/** One chunk becomes old enough to be pruned. */
async function age({ status }: ComposedService, project: string): Promise<void> {
  const { dbPath } = await status.stats({ projectPath: project });
  const db = new Database(dbPath);
  db.prepare("UPDATE chunks SET created_at = '2020-05-01T09:30:00.000Z' WHERE id = ?").run(
    'docs/cars.md#0',
  );
  db.close();
}

async function call(url: string, curl: string): Promise<unknown> {
  const { method, path, query, body } = requestOf(curl);
  const headers = { 'Content-Type': 'application/json' };
  const init = body === undefined ? { method } : { method, headers, body };
  return (await fetch(`${url}${path}${query}`, init)).json();
}

function requestOf(curl: string) {
  const [, path = ''] = /http:\/\/127\.0\.0\.1:3737(\/[^\s'"]*)/.exec(curl) ?? [];
  const [, body] = / -d '([^']*)'/.exec(curl) ?? [];
  const [, method = body === undefined ? 'GET' : 'POST'] = / -X ([A-Z]+)/.exec(curl) ?? [];
  const fields = [...curl.matchAll(/--data-urlencode '([^']*)'/g)].map(([, field = '']) => field);
  const query = fields.length === 0 ? '' : `?${new URLSearchParams(fields.join('&'))}`;
  return { method, path, query, body };
}

/** The keys of a value and the types of what they hold; all elements of a list count as one. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [value.map(shapeOf).reduce(merged, undefined)];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]));
}

function merged(a: unknown, b: unknown): unknown {
  if (!isRecord(a) || !isRecord(b)) return b ?? a;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map((key) => [key, merged(a[key], b[key])]));
}
