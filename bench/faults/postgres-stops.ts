import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresProjectStores } from '../../src/adapters/postgres/stores/postgres-project-stores.js';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import { anyInformativeWord } from '../../src/domain/query/query.js';
import type { ProjectStore } from '../../src/ports/project-stores.js';
import { SilentLogger } from '../../test/fakes/silent-logger.js';
import { executeAs } from '../../test/support/execute-as.js';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { SERVER_BIN } from '../../test/support/postgres-under-test.js';
import { eventually } from '../../test/support/running-service.js';
import type { FaultFamily, FaultOptions, FaultOutcome } from './family.js';

const INSTANCES = 2;
const WRITERS = 4;
/** Sources per writer; no other writer touches them. */
const SOURCES = 40;
const CHUNKS = 3;
/** Each stop comes only after this many writes were acknowledged. */
const WRITES_PER_STOP = 50;
const STOP_TIMEOUT = { withinMs: 120_000 };

/** P1: a PostgreSQL server stops immediately, as in a crash, while several instances write and search. */
export const postgresStops: FaultFamily = {
  name: 'P1',
  title: 'PostgreSQL stops immediately under load',
  defaultRounds: 20,
  run: (options) => stoppedRun(options),
  /** A server that acknowledges writes before they are on the disk. */
  async negativeControl(options) {
    const careless = `ALTER SYSTEM SET synchronous_commit = off;
      ALTER SYSTEM SET wal_writer_delay = '10s'; ALTER SYSTEM SET wal_writer_flush_after = '1GB'`;
    const { wrong } = await stoppedRun({ ...options, rounds: 5 }, careless);
    return wrong;
  },
};

async function stoppedRun(
  { rounds, random }: FaultOptions,
  settings?: string,
): Promise<FaultOutcome> {
  const server = await PostgresServer.create(SERVER_BIN, 'kept');
  const load = new Load(server.url);
  try {
    await load.createProject();
    if (settings !== undefined) await configure(server, settings);
    await load.begin();
    for (let stops = 1; stops <= rounds; stops += 1) {
      await eventually(() => load.acknowledged.count >= stops * WRITES_PER_STOP, STOP_TIMEOUT);
      await sleep(random.below(200));
      await server.stop('immediate');
      await server.start();
    }
    await load.end();
    const wrong = await load.findLosses();
    return {
      rounds,
      acknowledged: load.acknowledged.count,
      lost: wrong.length,
      wrong,
      notes: [
        `${load.failures} writes failed, ${load.searches} searches returned, the longest write took ${load.longestMs} ms`,
      ],
    };
  } finally {
    await server.remove();
  }
}

async function configure(server: PostgresServer, settings: string): Promise<void> {
  for (const statement of settings.split(';')) await executeAs(server.url, statement);
  await server.stop('fast');
  await server.start();
}

/** Two instances that write and search as fast as they can, and continue after errors. */
class Load {
  readonly acknowledged = new VersionLog();
  failures = 0;
  searches = 0;
  /** The longest write, in milliseconds. */
  longestMs = 0;
  readonly #url: string;
  readonly #key = randomUUID();
  #instances: readonly PostgresProjectStores[] = [];
  #work: readonly Promise<void>[] = [];
  #isEnding = false;

  constructor(url: string) {
    this.#url = url;
  }

  async createProject(): Promise<void> {
    const stores = this.#newStores();
    await stores.open('/project');
    await stores.close();
  }

  async begin(): Promise<void> {
    this.#instances = Array.from({ length: INSTANCES }, () => this.#newStores());
    const stores = await Promise.all(this.#instances.map((instance) => instance.open('/project')));
    const writers = Array.from({ length: WRITERS }, (_, i) =>
      this.#write(stores[i % INSTANCES] as ProjectStore, i),
    );
    this.#work = [...writers, ...stores.map((store) => this.#search(store))];
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#work);
    await Promise.all(this.#instances.map((instance) => instance.close()));
  }

  /** Finds sources that are not complete, or not in the confirmed version or a later one that was tried. */
  async findLosses(): Promise<readonly string[]> {
    const stores = this.#newStores();
    const { chunks: store } = await stores.open('/project');
    const wrong: string[] = [];
    for (const [source, version] of this.acknowledged.confirmed) {
      const chunks = await store.getChunks(idsOf(source));
      const stored = new Set(chunks.map(({ content }) => versionIn(content)));
      const [found = 0] = stored;
      if (chunks.length !== CHUNKS || stored.size !== 1) wrong.push(`${source} is half written.`);
      else if (!this.acknowledged.allows(source, found))
        wrong.push(`${source} has version ${found}; ${version} was confirmed.`);
    }
    await stores.close();
    return wrong;
  }

  async #write(store: ProjectStore, writer: number): Promise<void> {
    for (let version = 1; !this.#isEnding; version += 1) {
      const source = `docs/${writer}-${version % SOURCES}.md`;
      this.acknowledged.try(source, version);
      const begin = performance.now();
      try {
        await store.chunks.replaceSources([
          { sourceFile: source, document: documentOf(source, version) },
        ]);
        this.acknowledged.confirm(source, version);
      } catch {
        this.failures += 1;
        await sleep(50);
      }
      this.longestMs = Math.max(this.longestMs, Math.round(performance.now() - begin));
    }
  }

  async #search(store: ProjectStore): Promise<void> {
    const expression = anyInformativeWord(['copper', 'basalt']);
    while (!this.#isEnding && expression !== undefined) {
      const searching = store.keywords.search({
        expression,
        filter: { sourceTypes: 'all' },
        limit: 10,
      });
      this.searches += await searching.then(
        () => 1,
        () => 0,
      );
      await sleep(20);
    }
  }

  #newStores(): PostgresProjectStores {
    return new PostgresProjectStores({
      url: this.#url,
      keys: { find: async () => this.#key, open: async () => this.#key },
      model: 'none',
      dimensions: 384,
      clock: systemClock,
      logger: new SilentLogger(),
    });
  }
}

/** The versions of each source that were tried, in rising order, and the newest confirmed one. */
class VersionLog {
  readonly confirmed = new Map<string, number>();
  readonly #tried = new Map<string, number[]>();
  count = 0;

  try(source: string, version: number): void {
    const versions = this.#tried.get(source) ?? [];
    this.#tried.set(source, [...versions, version]);
  }

  confirm(source: string, version: number): void {
    this.confirmed.set(source, version);
    this.count += 1;
  }

  /**
   * Whether a store may hold this version: the confirmed one, or a later one whose response was lost with the server.
   */
  allows(source: string, version: number): boolean {
    if (version < (this.confirmed.get(source) ?? 0)) return false;
    return this.#tried.get(source)?.includes(version) ?? false;
  }
}

function documentOf(sourceFile: string, version: number) {
  const chunks = Array.from({ length: CHUNKS }, (_, place) => ({
    content: `copper walnut version ${version} place ${place}`,
    importance: 0.5,
  }));
  return { sourceType: 'file', sourceFile, contentHash: `${version}`, chunks } as const;
}

function idsOf(source: string): readonly string[] {
  return Array.from({ length: CHUNKS }, (_, place) => `${source}#${place}`);
}

function versionIn(content: string): number {
  return Number(/version (\d+)/.exec(content)?.[1]);
}
