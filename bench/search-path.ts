import { cp, mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Variant } from '../src/app/config/config.js';
import { plantedEmbedder } from './speed/planted-vectors.js';

/**
 * Lists the source files that a search over HTTP enters, in a process that serves as a worker does: those in which a function runs
 * between the request and its answer, as V8 counts them; and counts those that the process has loaded. Fails if there are
 * more than ARCHITECTURE.md promises.
 */
const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
/** Not imported above, so that what loads them is seen. */
const loaded = await loadedSources();
const { readConfig } = await import('../src/app/config/read-config.js');
const { startHttpService } = await import('../src/process/http-service.js');
const LOADED_LIMIT = 391;
const KINDS = [
  { kind: 'by keyword', limit: 51, variant: 'search-only' },
  { kind: 'by meaning', limit: 64, variant: 'hybrid' },
] as const;

for (const { kind, limit, variant } of KINDS) {
  const files = await filesOfSearch(variant);
  console.log(`A search ${kind} enters ${files.length} files, of at most ${limit}:`);
  for (const file of files) console.log(`  ${file}`);
  if (files.length > limit) process.exitCode = 1;
}
console.log(`Loaded are ${loaded.size} files, of at most ${LOADED_LIMIT}.`);
if (loaded.size > LOADED_LIMIT) process.exitCode = 1;

/** The source files that this process has loaded; grows with each that is loaded later. */
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

async function filesOfSearch(variant: Variant): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'search-path-'));
  await cp(resolve(SOURCES, '../docs'), join(folder, 'docs'), { recursive: true });
  const config = readConfig({ PORT: '0', DATA_DIR: folder, KNOWLEDGE_LOG_LEVEL: 'error' });
  const embedder = plantedEmbedder('planted/vectors');
  const shared = { embedder, metrics: async () => '' };
  const service = await startHttpService({ ...config, variant, downloads: 'forbidden' }, shared);
  const post = async (route: string, fields: object) => {
    const body = JSON.stringify({ projectPath: folder, ...fields });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${service.url}/api/knowledge/${route}`, {
      ...{ method: 'POST', headers, body },
    });
    return (await reply.json()) as { results: unknown[]; retrieval_mode?: string };
  };
  const search = () => post('search', { query: 'lock of the database' });
  try {
    await post('rebuild', {});
    for (;;) {
      const { results, retrieval_mode = 'bm25' } = await search();
      await new Promise((wait) => setTimeout(wait, 1000)); // The first searches meet the first indexing.
      if (results.length > 0 && (variant === 'search-only' || retrieval_mode === variant)) break;
    }
    return await fewestEntered(search);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

/** Of several runs that with the fewest files: the others may have met work in the background. */
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
