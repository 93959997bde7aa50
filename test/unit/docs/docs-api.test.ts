import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { webPages } from '../../../src/adapters/http/console/web-pages.js';
import { HttpServer } from '../../../src/adapters/http/server/http-server.js';
import type { Variant } from '../../../src/app/config/config.js';
import { configFrom } from '../../../src/app/config/read-config.js';
import type { ComposedService } from '../../../src/app/service/service.js';
import { composeService } from '../../../src/app/wiring/container.js';
import { hostOptions } from '../../../src/app/wiring/replaceable-ports.js';
import { listRoutes } from '../../../src/app/wiring/routes.js';
import { isRecord } from '../../../src/domain/records.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { FakeLessonExtractor } from '../../fakes/fake-lesson-extractor.js';
import { FakePageFetcher } from '../../fakes/fake-page-fetcher.js';
import { FakeSummarizer } from '../../fakes/fake-summarizer.js';
import { QuietMonitor } from '../../fakes/quiet-monitor.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { execute } from '../../support/database-inspection.js';
import { checkEveryResponse } from '../../support/every-response.js';
import { CHECKOUT as ROOT } from '../../support/running-service.js';
import { loopbackParts } from '../../support/served-api.js';
import { testProjects } from '../../support/test-projects.js';

/**
 * Runs every command of docs/api.md, and compares the response with the JSON block below it and with the OpenAPI
 * document.
 */
const DOCUMENTED_PROJECT = '/home/me/project';
const API = await readFile(join(ROOT, 'docs/api.md'), 'utf8');

const FILES = {
  'docs/old.md': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
  'docs/cars.md':
    '# Vehicles\n\n## Service interval\nA car needs new oil every 15,000 km.\n\n## Tyres\nChange the tyres before winter.\n',
  '.knowledge/memory/database.md':
    '---\ntags: [sqlite, locking]\nimportance: 0.9\n---\n## Database locks\nWriters wait for each other. Keep every transaction short, or readers see "database is locked".\n\n## Migrations\nRun a migration in one transaction and keep a backup.\n',
  'docs/pool.md': '## Connections\nThe pool in `src/pool.ts:1-1` lends twice.\n',
  'src/pool.ts': 'export const pool = makePool();\n',
  '.knowledge/sessions/2026-11-21-5f0c.md':
    '---\nagent: "claude"\nsession: "5f0c"\nbranch: "main"\nstarted: "2026-11-21T18:26:48.360Z"\nended: "2026-11-21T19:02:11.042Z"\ntitle: "Why does the login test fail?"\n---\n\n## Why does the login test fail?\n<!-- 2026-11-21T18:26:48.360Z -->\n\nWhy does the login test fail?\n\nIts clock runs in UTC.\n',
  '.knowledge/features/login/feature.json':
    '{ "id": "login", "title": "Login", "description": "A form.", "status": "verified", "epicId": "accounts" }',
  '.knowledge/features/login/reflection.md':
    '---\ntags: [session]\n---\n## What went wrong\nThe session cookie was not renewed after the password changed.\n\n## What to do next time\nWrite the test for the expired session first.\n',
  '.knowledge/features/login/agent-output.md':
    'Added the login form and the session store.\nAll 14 tests pass. The session cookie is now renewed.\n',
  '.knowledge/features/password-reset/feature.json':
    '{ "id": "password-reset", "title": "Password reset", "status": "in_progress", "epicId": "accounts" }',
};

const projects = testProjects();
checkEveryResponse();

const EXAMPLES = [...examplesOf('search-only'), ...examplesOf('hybrid')];
/** What shows no answer, but for the packages that the last section installs. */
const OTHER_COMMANDS = [...API.matchAll(/^```sh\n(curl [\s\S]*?)\n```/gm)]
  .map(([, command = '']) => command)
  .filter((command) => !EXAMPLES.some(({ curl }) => curl === `${command}\n`));

describe.each<Variant>(['search-only', 'hybrid'])('docs/api.md, %s variant', (variant) => {
  let running: Running;

  beforeAll(async () => {
    running = await start(variant);
  });

  afterAll(() => running.stop());

  test.each(examplesOf(variant))(
    '$title returns the documented response',
    async ({ title, curl, answer }) => {
      const { route, out } = await running.run(curl);
      if (title === 'Errors') expect(JSON.parse(out)).toEqual(JSON.parse(answer));
      else expect(shapeOf(JSON.parse(out))).toEqual(shapeOf(JSON.parse(answer)));
      if (title.startsWith('`')) expect(title).toBe(`\`${route.replace(':id', '{id}')}\``);
    },
  );

  test.runIf(variant === 'hybrid').each(OTHER_COMMANDS)('`%s` has an answer', async (command) => {
    expect((await running.run(command)).out).not.toBe('');
  });
});

test('docs/api.md has an example for every route and for explain and errors', () => {
  const documents = ['`GET /metrics`', '`GET /openapi.json`', '`GET /docs`'];
  const titles = [...API.matchAll(/^### (`.*`)$/gm)].map(([, title = '']) => title);
  expect(titles.length).toBeGreaterThan(documents.length);
  expect(EXAMPLES.map(({ title }) => title).toSorted()).toEqual(
    [
      ...titles.filter((title) => !documents.includes(title)),
      'What `explain` says',
      'Errors',
    ].toSorted(),
  );
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
  /** Runs a command; returns what it prints, and the route that it asked. */
  run(command: string): Promise<{ readonly route: string; readonly out: string }>;
  stop(): Promise<void>;
}

async function start(variant: Variant): Promise<Running> {
  const project = projects.make(FILES);
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
  const config = configFrom(options);
  const known = {
    remember: () => undefined,
    list: () => [{ path: project.path, usedAt: new Date() }],
  };
  const { ports, ...host } = hostOptions(options);
  const service = composeService(config, { ...host, ports: { ...ports, projectHistory: known } });
  await service.indexing.rebuild({ projectPath: project.path });
  if (variant === 'hybrid') await allEmbedded(service, project.path);
  // One chunk becomes old enough to be pruned.
  const aged = "UPDATE chunks SET created_at = '2020-05-01' WHERE id = 'docs/cars.md#0'";
  execute(project.database, aged);
  project.write('src/pool.ts', 'export const pool = new Pool();\n');
  const monitor = new QuietMonitor();
  const server = new HttpServer({
    ...loopbackParts(listRoutes(config, service)),
    webPages: await webPages(join(ROOT, 'dist/console'), 'console'),
    monitor,
  });
  const url = await server.listen();
  return {
    run: async (command) => {
      if (variant === 'hybrid') await allEmbedded(service, project.path);
      const script = command
        .replaceAll('http://127.0.0.1:3737', url)
        .replaceAll(DOCUMENTED_PROJECT, project.path);
      const served = monitor.requests.length;
      const { stdout: out } = await promisify(execFile)('bash', ['--norc', '-euc', script], {
        env: { ...process.env, KNOWLEDGE_TOKEN: 't' },
      });
      await vi.waitUntil(() => monitor.requests.length > served);
      const { method, route } = monitor.requests.at(-1) ?? {};
      return { route: `${method} ${route}`, out };
    },
    stop: async () => {
      await server.close();
      await service.stop();
    },
  };
}

async function allEmbedded({ status }: ComposedService, project: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await status.embeddings({ projectPath: project })).pending).toBe(0);
  }, 5000);
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
