import { cp, mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Variant } from '../src/app/config/config.js';
import { plantedEmbedder } from './speed/planted-vectors.js';

/**
 * Lists the source files that a search enters, which are those where V8 sees a function run between request and
 * response. Also counts the files that the process has loaded.
 *
 * Two searches follow the specification, over HTTP in a process that serves like a worker. The third is the one for
 * people and agents, also over HTTP. The last is the same search as the local service runs it for a command, with the
 * user's notes. Fails if there are more files than ARCHITECTURE.md promises.
 */
const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
/** The service is imported only after this, so that its files are seen being loaded. */
const loaded = await loadedSources();
const { readConfig } = await import('../src/app/config/read-config.js');
const { startHttpService } = await import('../src/process/http-service.js');
const LOADED_LIMIT = 388;
const QUERY = 'lock of the database';
const KINDS = [
  { kind: 'by keyword', limit: 50, variant: 'search-only', route: 'search' },
  { kind: 'by meaning', limit: 63, variant: 'hybrid', route: 'search' },
  { kind: 'for people and agents', limit: 88, variant: 'hybrid', route: 'x/search' },
] as const;

for (const { kind, limit, ...search } of KINDS) {
  report(kind, limit, await inFolder((folder) => filesOverHttp(folder, search)));
}
console.log(`Loaded are ${loaded.size} files, of at most ${LOADED_LIMIT}.`);
if (loaded.size > LOADED_LIMIT) process.exitCode = 1;
report('for a command, with notes of the user', 122, await inFolder(filesOfCommand));

function report(kind: string, limit: number, files: readonly string[]): void {
  console.log(`A search ${kind} enters ${files.length} files, of at most ${limit}:`);
  for (const file of files) console.log(`  ${file}`);
  if (files.length > limit) process.exitCode = 1;
}

/** The source files that this process loads. The set grows as more are loaded. */
async function loadedSources(): Promise<ReadonlySet<string>> {
  const session = new Session();
  session.connect();
  const files = new Set<string>();
  session.on('Debugger.scriptParsed', ({ params }) => {
    const source = sourceOf(params.url);
    if (source !== undefined) files.add(source);
  });
  await session.post('Debugger.enable');
  return files;
}

/** Runs work in a folder with a project of some documents, and removes the folder afterwards. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'search-path-'));
  try {
    await cp(resolve(SOURCES, '../docs'), join(folder, 'project/docs'), { recursive: true });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Search {
  readonly variant: Variant;
  readonly route: string;
}

async function filesOverHttp(
  folder: string,
  { variant, route }: Search,
): Promise<readonly string[]> {
  const config = configFor(folder);
  const shared = { embedder: plantedEmbedder('planted/vectors'), metrics: async () => '' };
  const service = await startHttpService({ ...config, variant }, shared);
  const post = async (name: string, fields: object) => {
    const body = JSON.stringify({ projectPath: join(folder, 'project'), ...fields });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${service.url}/api/knowledge/${name}`, {
      method: 'POST',
      headers,
      body,
    });
    return (await reply.json()) as Answer;
  };
  const search = () => post(route, { query: QUERY });
  try {
    await post('rebuild', {});
    await untilReady(search, variant === 'hybrid' ? 'hybrid' : 'bm25');
    return await fewestEntered(search);
  } finally {
    await service.stop();
  }
}

/** Runs the search like the worker of the local service, without its protocol. */
async function filesOfCommand(folder: string): Promise<readonly string[]> {
  const { composeService } = await import('../src/app/wiring/container.js');
  const { inProcessOperations } = await import('../src/process/operations-in-process.js');
  const config = configFor(folder);
  const embedder = plantedEmbedder('planted/vectors');
  const host = { ports: { embedder }, sources: 'watched', userNotes: config } as const;
  const operations = inProcessOperations(composeService(config, host), config);
  const projectPath = join(folder, 'project');
  const search = () =>
    operations.call('POST /api/knowledge/x/search', {
      projectPath,
      query: QUERY,
    }) as Promise<Answer>;
  const note = { title: 'Locks', content: 'The lock of the database is held briefly.' };
  try {
    await operations.rebuild(projectPath);
    await operations.call('POST /api/knowledge/x/notes', { projectPath, ...note, scope: 'user' });
    await untilReady(search, 'hybrid');
    return await fewestEntered(search);
  } finally {
    await operations.stop();
  }
}

function configFor(folder: string) {
  const environment = { PORT: '0', DATA_DIR: join(folder, 'data'), KNOWLEDGE_LOG_LEVEL: 'error' };
  return { ...readConfig(environment), downloads: 'forbidden' } as const;
}

interface Answer {
  readonly results: readonly unknown[];
  readonly retrieval_mode?: string;
}

/** Waits until searches use this mode: the first ones run during the first indexing. */
async function untilReady(search: () => Promise<Answer>, mode: string): Promise<void> {
  for (;;) {
    const { results, retrieval_mode = 'bm25' } = await search();
    await new Promise((wait) => setTimeout(wait, 1000));
    if (results.length > 0 && retrieval_mode === mode) return;
  }
}

/** Returns the files of the run that entered the fewest; other runs may have coincided with background work. */
async function fewestEntered(run: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const runs: (readonly string[])[] = [];
  for (let count = 0; count < 20; count += 1) {
    await session.post('Profiler.takePreciseCoverage');
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const entered = result.filter(({ functions }) =>
      functions.some(({ ranges }) => ranges.some((range) => range.count > 0)),
    );
    runs.push(entered.flatMap(({ url }) => sourceOf(url) ?? []));
  }
  session.disconnect();
  const [fewest = []] = runs.toSorted((a, b) => a.length - b.length);
  return fewest.toSorted();
}

function sourceOf(url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  const path = fileURLToPath(url);
  return path.startsWith(SOURCES) ? path.slice(SOURCES.length + 1) : undefined;
}
