import { reasonOf } from '../../domain/errors.js';
import { type Backoff, backoffMs } from '../../domain/retry-pause.js';
import type { Settings } from '../../domain/settings.js';
import type { IndexedSource } from '../../ports/driven/chunk-repository.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { ProjectFiles } from '../../ports/driven/project-files.js';
import type { ProjectStores } from '../../ports/driven/project-stores.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';
import type {
  ChangedPaths,
  SourceWatch,
  SourceWatcher,
} from '../../ports/driven/source-watcher.js';
import { announceFirstIndexing } from '../ingestion/first-indexing.js';
import type { Ingestion } from '../ingestion/ingestion.js';
import { HeldLease } from '../leases.js';
import type { Project } from '../projects/project.js';

export interface FreshnessOptions {
  readonly watcher: SourceWatcher;
  readonly settings: SettingsSource;
  readonly stores: ProjectStores;
  readonly files: Pick<ProjectFiles, 'exists'>;
  readonly ingestion: Ingestion;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Keeps the index of one project in step with its files: looks at them at intervals, and indexes what has changed. */
export class FreshProject {
  readonly project: Project;
  readonly #options: FreshnessOptions;
  readonly #stopping = new AbortController();
  readonly #watchLease: HeldLease;
  readonly #running: Promise<void>;
  #wakeUp = new AbortController();
  /** What may have changed since it was indexed. */
  #pending: Set<string> | 'everything' = new Set();
  #isSearched = false;
  #isIndexed = false;
  /** Missing files of chunks that another program wrote. */
  #foreign = new Set<string>();

  constructor(project: Project, options: FreshnessOptions) {
    this.project = project;
    this.#options = options;
    this.#watchLease = new HeldLease(options.clock, { ...LEASE, leases: project.store.leases });
    this.#running = this.#run();
  }

  /** Starts the first indexing, in the background, if no file is indexed; returns whether it was started. */
  async startIndexing(sources: readonly IndexedSource[]): Promise<boolean> {
    if (this.#isSearched) return false;
    this.#isSearched = true;
    const { autoReindex } = await this.#settings();
    if (!autoReindex || sources.length > 0) return false;
    // A search does not wait for a lock.
    announceFirstIndexing(this.project).catch(() => undefined);
    this.#notice(undefined);
    return true;
  }

  async goneAmong(sourceFiles: readonly string[]): Promise<readonly string[]> {
    const { files } = this.#options;
    const looked = [...new Set(sourceFiles)].filter((file) => !this.#foreign.has(file));
    const found = await Promise.all(
      looked.map((file) => files.exists(this.project.path, file).catch(() => true)),
    );
    const missing = looked.filter((_, index) => found[index] === false);
    if (missing.length === 0 || !(await this.#settings()).autoReindex) return [];
    const indexed = new Set((await this.#sourcesWithFiles()).map(({ sourceFile }) => sourceFile));
    const gone = missing.filter((file) => indexed.has(file));
    if (gone.length > 0) this.#notice(gone);
    if (this.#foreign.size > KNOWN_FOREIGN_FILES_MAX) this.#foreign.clear();
    for (const file of missing) if (!indexed.has(file)) this.#foreign.add(file);
    return gone;
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#watchLease.release();
  }

  /** Notes what may have changed, and looks at once. */
  #notice(paths: ChangedPaths): void {
    this.#note(paths);
    this.#wakeUp.abort();
  }

  #note(paths: ChangedPaths): void {
    if (paths === undefined) this.#pending = 'everything';
    if (this.#pending === 'everything') return;
    for (const path of paths ?? []) this.#pending.add(path);
  }

  /** What could not be done is done again after a pause. */
  async #run(): Promise<void> {
    const { clock, logger, watcher } = this.#options;
    const { signal } = this.#stopping;
    const watch = watcher.watch(this.project.path);
    for (let failures = 0; !signal.aborted; ) {
      try {
        const pauseMs = await this.#pass(watch);
        failures = 0;
        await clock.sleep(pauseMs, AbortSignal.any([signal, this.#wakeUp.signal]));
        this.#wakeUp = new AbortController();
      } catch (error) {
        if (!(await this.#isSameStore().catch(() => true))) this.#stopping.abort();
        if (signal.aborted) return;
        failures += 1;
        const pauseMs = backoffMs(PAUSES, failures);
        logger.warn('Changed files could not be indexed; they are tried again after a pause.', {
          project: this.project.path,
          reason: reasonOf(error),
          pauseMs,
        });
        await clock.sleep(pauseMs, signal);
      }
    }
  }

  /** Returns how long to pause before the next look: a look at a large project takes longer, and must not keep a processor busy. */
  async #pass(watch: SourceWatch): Promise<number> {
    const { clock } = this.#options;
    const settings = await this.#settings();
    if (!settings.autoReindex || !(await this.#isInUse())) return LOOK_EVERY_MS;
    if (!(await this.#watchLease.hold())) {
      await this.#ingestPending();
      return LOOK_EVERY_MS;
    }
    const startedAt = clock.monotonic();
    const { includePatterns: include, excludePatterns: exclude, ignore } = settings;
    this.#note(await watch.changes({ include, exclude, ignore }));
    const tookMs = clock.monotonic() - startedAt;
    await this.#ingestPending();
    return Math.min(LONGEST_PAUSE_MS, Math.max(LOOK_EVERY_MS, tookMs * PAUSE_PER_LOOK));
  }

  async #ingestPending(): Promise<void> {
    const pending = this.#pending;
    if (pending !== 'everything' && pending.size === 0) return;
    this.#pending = new Set();
    if (!(await this.#isSameStore())) return this.#stopping.abort();
    const paths = pending === 'everything' ? undefined : [...pending];
    try {
      this.#foreign.clear();
      await this.#options.ingestion.ingest(this.project, { within: paths });
    } catch (error) {
      this.#note(paths);
      throw error;
    }
  }

  /** A project that was neither searched nor indexed is left alone. */
  async #isInUse(): Promise<boolean> {
    return this.#isSearched || this.#isIndexed || (await this.#hasSources());
  }

  /** Where another project or none is now, nothing is indexed any more. */
  async #isSameStore(): Promise<boolean> {
    const { path, store } = this.project;
    return (await this.#options.stores.find(path)) === store;
  }

  async #hasSources(): Promise<boolean> {
    this.#isIndexed = (await this.#sourcesWithFiles()).length > 0;
    return this.#isIndexed;
  }

  async #sourcesWithFiles(): Promise<readonly IndexedSource[]> {
    return this.project.store.chunks.indexedSources();
  }

  #settings(): Promise<Settings> {
    return this.#options.settings.read(this.project.path);
  }
}

/** Missing files of foreign chunks that are remembered, so that they are not looked up with every search. */
export const KNOWN_FOREIGN_FILES_MAX = 1_000;

const LOOK_EVERY_MS = 1_000;
const LEASE = { name: 'watch', durationMs: 30_000 };
/** A pause is so many times as long as the look before it, within these bounds. */
const PAUSE_PER_LOOK = 10;
const LONGEST_PAUSE_MS = 2_000;
const PAUSES: Backoff = { firstMs: 1_000, longestMs: 60_000 };
