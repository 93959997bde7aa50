import { cpSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/system-clock.js';
import { createKnowledgeStore } from '../../../src/index.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { SourceWatcher } from '../../../src/ports/source-watcher.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { TempProject, TempProjects } from '../../support/temp-project.js';

const NOTES = '## Otters\nAn otter sleeps on its back.\n\n## Beavers\nA beaver builds dams.\n';
const KEY_FILE = '.knowledge/project-key';

/** The library over PostgreSQL, and how it knows a project. */
export function describeService(name: string, url: () => string): void {
  describe(`the library over ${name}`, () => {
    const projects = new TempProjects();
    afterEach(() => projects.removeAll());

    it.each(['hybrid', 'search-only'] as const)('indexes and searches, %s', async (variant) => {
      const project = projects.make({ 'docs/animals.md': NOTES });
      await serving(url(), variant, async ({ store }) => {
        await store.reindex(project.path);
        const { results } = await store.search(project.path, 'otter');
        expect(results.map(({ chunk }) => chunk.id)).toEqual(['docs/animals.md#0']);
      });
    });

    it('recognizes a moved project by its key', async () => {
      const project = projects.make({ 'docs/animals.md': NOTES });
      const there = `${project.path}-moved`;
      await serving(url(), 'search-only', ({ store }) => store.reindex(project.path));
      renameSync(project.path, there);
      await serving(url(), 'search-only', async ({ store }) => {
        const { results } = await store.search(there, 'otter');
        expect(results.map(({ chunk }) => [chunk.id, chunk.projectPath])).toEqual([
          ['docs/animals.md#0', there],
        ]);
      });
      renameSync(there, project.path);
    });

    it('refuses a copy of a directory until it has a key of its own', async () => {
      const [original, copy] = [projects.make({ 'docs/animals.md': NOTES }), projects.make()];
      await serving(url(), 'search-only', ({ store }) => store.reindex(original.path));
      cpSync(original.at('.knowledge'), copy.at('.knowledge'), { recursive: true });
      await serving(url(), 'search-only', async ({ store }) => {
        await expect(store.search(copy.path, 'otter')).rejects.toMatchObject({
          code: 'store_unavailable',
          message: expect.stringContaining(`is a copy of ${original.path}`),
        });
        await expect(store.reindex(copy.path)).rejects.toMatchObject({ code: 'store_unavailable' });
        expect((await store.search(original.path, 'otter')).results).toHaveLength(1);
        copy.delete(KEY_FILE);
        expect(await store.reindex(copy.path)).toMatchObject({ indexed: 0 });
        expect((await store.search(copy.path, 'otter')).results).toEqual([]);
        expect((await store.search(original.path, 'otter')).results).toHaveLength(1);
      });
    });

    it('skips a file whose path no index can hold', async () => {
      const names = Array.from({ length: 12 }, (_, i) => `${i}`.padEnd(200, '字').slice(0, 80));
      const path = `docs/${names.join('/')}/a.md`;
      const project = projects.make({ 'docs/animals.md': NOTES, [path]: 'An ibex.' });
      await serving(url(), 'search-only', async ({ store }) => {
        expect(await store.reindex(project.path)).toMatchObject({
          indexed: 1,
          skipped: [{ sourceFile: path, reason: 'its path is longer than 2000 bytes' }],
        });
      });
    });

    it('keeps projects apart that have the same path at different times', async () => {
      const project = projects.make({ 'docs/animals.md': NOTES });
      await serving(url(), 'search-only', ({ store }) => store.reindex(project.path));
      const former = readFileSync(project.at(KEY_FILE), 'utf8');
      rmSync(project.at('.knowledge'), { recursive: true });
      await serving(url(), 'search-only', async ({ store }) => {
        expect((await store.search(project.path, 'otter')).results).toEqual([]);
        await store.reindex(project.path);
      });
      expect(readFileSync(project.at(KEY_FILE), 'utf8')).not.toBe(former);
    });

    describe.each([name, 'SQLite'])(
      'a watched directory that is no longer the project: %s',
      (on) => {
        const backend = () => (on === 'SQLite' ? 'sqlite' : url());
        const answers = async ({ store }: Service, { path }: TempProject, query: string) =>
          (await store.search(path, query)).results.map(({ chunk }) => chunk.id);

        it('loses nothing when it is empty, as without its drive', async () => {
          const project = projects.make({ 'docs/animals.md': NOTES });
          const watcher = new ManualWatcher();
          await serving(
            backend(),
            'search-only',
            async (service) => {
              await service.store.reindex(project.path);
              const away = `${project.path}-away`;
              renameSync(project.path, away);
              mkdirSync(project.path);
              await watcher.reportForSomeLooks(project.path);
              rmSync(project.path, { recursive: true });
              renameSync(away, project.path);
              expect(await answers(service, project, 'otter')).toEqual(['docs/animals.md#0']);
            },
            watcher,
          );
        });

        it('reads and writes nothing if another project is there', async () => {
          const project = projects.make({ 'docs/animals.md': NOTES });
          const other = projects.make({ 'docs/plants.md': 'A fern has no flowers.\n' });
          const watcher = new ManualWatcher();
          await serving(
            backend(),
            'search-only',
            async (service) => {
              for (const { path } of [project, other]) await service.store.reindex(path);
              const away = new TempProject({}, '.knowledge', `${project.path}-away`);
              rmSync(away.path, { recursive: true, force: true });
              renameSync(project.path, away.path);
              renameSync(other.path, project.path);
              await watcher.reportForSomeLooks(project.path);
              expect(await answers(service, project, 'fern')).toEqual(['docs/plants.md#0']);
              expect(await answers(service, project, 'otter')).toEqual([]);
              expect(await answers(service, away, 'otter')).toEqual(['docs/animals.md#0']);
              away.remove();
            },
            watcher,
          );
        });
      },
    );

    it('refuses a key that is not a UUID', async () => {
      const project = projects.make({ [KEY_FILE]: "x'; DROP SCHEMA public; --" });
      await serving(url(), 'search-only', async ({ store }) => {
        const reindexing = store.reindex(project.path);
        await expect(reindexing).rejects.toMatchObject({ code: 'store_unavailable' });
      });
    });

    it('imports a SQLite database, and gives the same answers without embedding again', async () => {
      const [here, there] = [projects.make({ 'docs/animals.md': NOTES }), projects.make()];
      const answers = ({ store }: Service, path: string) =>
        Promise.all(
          ['otter', 'who builds dams?'].map(async (query) => {
            const found = await store.search(path, query, { candidates: 'union' });
            return found.results.map(({ chunk }) => [chunk.id, chunk.content, chunk.createdAt]);
          }),
        );
      const sqlite = await serving('sqlite', 'hybrid', async (service) => {
        await service.store.reindex(here.path);
        while ((await service.store.getEmbeddingStatus(here.path)).pending > 0) await sleep(5);
        return answers(service, here.path);
      });
      await serving(url(), 'hybrid', async (service) => {
        const imported = await service.recovery.importDatabase(there.path, here.database);
        expect(imported).toEqual({ chunks: 2, vectors: 2, questions: 0, skipped: 0 });
        expect(await answers(service, there.path)).toEqual(sqlite);
        expect(await service.store.getEmbeddingStatus(there.path)).toMatchObject({ pending: 0 });
        cpSync(here.at('docs'), there.at('docs'), { recursive: true });
        await service.store.reindex(there.path);
        expect(await service.store.getEmbeddingStatus(there.path)).toMatchObject({ pending: 0 });
        expect(await answers(service, there.path)).toEqual(sqlite);
        const again = await service.recovery.importDatabase(there.path, here.database);
        expect(again).toMatchObject({ chunks: 2, vectors: 0, skipped: 0 });
      });
    });

    it('shows no password', async () => {
      const project = projects.make({ 'docs/animals.md': NOTES });
      await serving(url(), 'search-only', async ({ store }) => {
        const { dbPath } = await store.getStats(project.path);
        expect(dbPath).toMatch(/^postgres:\/\/127\.0\.0\.1:\d+\/postgres#\//);
        expect(dbPath).toContain(project.path);
      });
    });

    it('says that a server does not answer, without a host or a password', async () => {
      const project = projects.make({ 'docs/animals.md': NOTES });
      const logger = new SilentLogger();
      const unreachable = 'postgres://user:hunter2@127.0.0.1:1/knowledge';
      const service = createKnowledgeStore({
        variant: 'search-only',
        backend: unreachable,
        logger,
      });
      const reindexing = service.store.reindex(project.path);
      await expect(reindexing).rejects.toMatchObject({
        code: 'store_unavailable',
        message: expect.not.stringMatching(/127|hunter2/),
      });
      await service.stop();
      expect(JSON.stringify(logger.entries)).not.toMatch(/hunter2/);
    });
  });
}

type Service = ReturnType<typeof createKnowledgeStore>;

async function serving<T>(
  url: string,
  variant: 'hybrid' | 'search-only',
  work: (service: Service) => Promise<T>,
  watcher?: SourceWatcher,
): Promise<T> {
  const service = createKnowledgeStore({
    variant,
    backend: url as 'sqlite' | 'memory' | `postgres://${string}`,
    backends: { embedder: FakeEmbedder.ready(), ...(watcher && { watcher, clock: QUICK_CLOCK }) },
    logger: 'silent',
  });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

/** Time passes in a tenth of the time, so that tests wait less for the next look of the watch. */
const QUICK_CLOCK: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms / 10, signal),
};

/** Reports what a test tells it to. */
class ManualWatcher implements SourceWatcher {
  readonly #looks = new Map<string, number>();
  #reported: string | undefined;

  isProject(): boolean {
    return true;
  }

  watch(path: string) {
    return {
      changes: async () => {
        this.#looks.set(path, (this.#looks.get(path) ?? 0) + 1);
        return this.#reported === path ? undefined : [];
      },
    };
  }

  /** Says that anything may have changed, and waits until nobody looks any more, or somebody has looked often. */
  async reportForSomeLooks(path: string): Promise<void> {
    this.#reported = path;
    const looks = () => this.#looks.get(path) ?? 0;
    const enough = looks() + 4;
    for (let before = -1; looks() !== before && looks() < enough; ) {
      before = looks();
      await sleep(300);
    }
  }
}
