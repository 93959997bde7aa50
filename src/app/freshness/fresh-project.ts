import { type Backoff, backoffMs } from '../../domain/backoff.js';
import { reasonOf } from '../../domain/errors.js';
import { KNOWN_FOREIGN_FILES_MAX } from '../../domain/limits.js';
import { isPushed } from '../../domain/pushed-document.js';
import type { FirstIndexing } from '../../domain/search.js';
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
import type { Enrichment } from '../enrichment/enrichment.js';
import type { Ingestion } from '../ingestion/ingestion.js';
import type { Project } from '../projects/project.js';
import { ChangedSources } from './changed-sources.js';

export interface FreshnessOptions {
  readonly watcher: SourceWatcher;
  readonly settings: SettingsSource;
  readonly stores: ProjectStores;
  readonly files: Pick<ProjectFiles, 'exists'>;
  readonly ingestion: Ingestion;
  /** Whether changes are noticed and indexed here, or by another process. */
  readonly background: 'run' | 'leave';
  readonly enrichment: Enrichment;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Keeps the index of one project in step with its files, in one pass after the other. */
export class FreshProject {
  readonly project: Project;
  readonly #options: FreshnessOptions;
  readonly #changes = new ChangedSources();
  readonly #stopping = new AbortController();
  #watch: WatchWithRules | undefined;
  #passes: Promise<void> | undefined;
  #failures = 0;
  #isSearched = false;
  #firstIndexing: Promise<void> | undefined;
  #isIndexed = false;
  /** Missing files of chunks that another program wrote. */
  #foreign = new Set<string>();

  constructor(project: Project, options: FreshnessOptions) {
    this.project = project;
    this.#options = options;
    if (options.background === 'leave') return;
    void this.#settings().then((settings) => settings && this.#adjustWatch(settings));
  }

  /** The first search of a project that was never indexed starts that. */
  async searched(): Promise<FirstIndexing | undefined> {
    if (this.#options.background === 'leave') return undefined;
    if (this.#isSearched) return this.#firstIndexing === undefined ? undefined : 'running';
    this.#isSearched = true;
    const { autoReindex = false } = (await this.#settings()) ?? {};
    if (!autoReindex || (await this.#hasSources())) return undefined;
    this.#notice(undefined);
    this.#firstIndexing = this.#passes?.finally(() => {
      this.#firstIndexing = undefined;
    });
    return 'started';
  }

  async goneAmong(sourceFiles: readonly string[]): Promise<readonly string[]> {
    const { files } = this.#options;
    const looked = [...new Set(sourceFiles)].filter((file) => !this.#foreign.has(file));
    const found = await Promise.all(
      looked.map((file) => files.exists(this.project.path, file).catch(() => true)),
    );
    const missing = looked.filter((_, index) => found[index] === false);
    const { autoReindex = false } = (missing.length > 0 && (await this.#settings())) || {};
    if (!autoReindex) return [];
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
    await this.#end();
    await this.#passes;
  }

  async #end(): Promise<void> {
    this.#stopping.abort();
    await this.#watch?.watch.stop();
  }

  #notice(paths: ChangedPaths): void {
    if (this.#stopping.signal.aborted || this.#options.background === 'leave') return;
    this.#changes.add(paths, this.#options.clock.monotonic());
    this.#passes ??= this.#work().finally(() => {
      this.#passes = undefined;
    });
  }

  async #work(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    while (!this.#changes.isEmpty() && !signal.aborted) {
      const taken = this.#changes.take(clock.monotonic());
      if ('waitMs' in taken) await clock.sleep(taken.waitMs, signal);
      else await this.#pass(taken.paths);
    }
  }

  /** What could not be done is done again after a pause. */
  async #pass(paths: ChangedPaths): Promise<void> {
    const { clock, logger, settings } = this.#options;
    try {
      const current = await settings.read(this.project.path);
      if (paths === undefined) await this.#adjustWatch(current);
      if (!current.autoReindex || !(await this.#isInUse())) return;
      await this.#bringUpToDate(paths);
      this.#failures = 0;
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#failures += 1;
      const pauseMs = backoffMs(PAUSES, this.#failures);
      logger.warn('Changed files could not be indexed; they are tried again after a pause.', {
        project: this.project.path,
        reason: reasonOf(error),
        pauseMs,
      });
      await clock.sleep(pauseMs, this.#stopping.signal);
      this.#changes.add(paths, clock.monotonic());
    }
  }

  async #bringUpToDate(paths: ChangedPaths): Promise<void> {
    const { ingestion, enrichment } = this.#options;
    this.#foreign.clear();
    await ingestion.ingestChanged(this.project, paths);
    enrichment.wake(this.project);
  }

  /** A project that was neither searched nor indexed is left alone; where another one is now, nothing is watched any more. */
  async #isInUse(): Promise<boolean> {
    const { path, store } = this.project;
    if ((await this.#options.stores.find(path)) !== store) {
      await this.#end();
      return false;
    }
    return this.#isSearched || this.#isIndexed || (await this.#hasSources());
  }

  async #hasSources(): Promise<boolean> {
    this.#isIndexed = (await this.#sourcesWithFiles()).length > 0;
    return this.#isIndexed;
  }

  async #sourcesWithFiles(): Promise<readonly IndexedSource[]> {
    const sources = await this.project.store.chunks.indexedSources();
    return sources.filter((source) => !isPushed(source));
  }

  async #adjustWatch({ autoReindex, ignore }: Settings): Promise<void> {
    if (this.#stopping.signal.aborted || (autoReindex && this.#watch?.ignore === ignore)) return;
    const former = this.#watch;
    const { watcher } = this.#options;
    const { path } = this.project;
    this.#watch = autoReindex
      ? { ignore, watch: watcher.watch(path, { ignore }, (paths) => this.#notice(paths)) }
      : undefined;
    await former?.watch.stop();
  }

  async #settings(): Promise<Settings | undefined> {
    return this.#options.settings.read(this.project.path).catch(() => undefined);
  }
}

interface WatchWithRules {
  readonly ignore: boolean;
  readonly watch: SourceWatch;
}

const PAUSES: Backoff = { firstMs: 1_000, longestMs: 60_000 };
