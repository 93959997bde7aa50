import { errorReason } from '../../domain/errors.js';
import type { FirstIndexing } from '../../domain/ranking/search.js';
import type { Settings } from '../../domain/settings.js';
import type { ProjectStore } from '../../ports/project-stores.js';
import type { IngestionReport } from '../../schemas/sources.js';
import type { Enrichment, ProjectEnrichment } from '../enrichment/enrichment.js';
import type { Refusals } from '../enrichment/refused-texts.js';
import { isFirstIndexing } from '../ingestion/first-indexing.js';
import type { SourceResult } from '../ingestion/ingest-source.js';
import type { Scope } from '../ingestion/ingestion.js';
import type { Project } from '../project.js';
import { ProjectWatch, type WatchDeps } from '../watch/project-watch.js';

/** Dependencies that all open projects share. */
export interface OpenProjectDeps extends WatchDeps {
  readonly enrichment: Pick<Enrichment, 'workOn'>;
}

interface Opening {
  readonly path: string;
  readonly store: ProjectStore;
  /** Whether background work may start yet. */
  readonly mayEnrich: () => boolean;
  /** Called with another store that the path holds now; this project then stops watching its files. */
  readonly handOver: (store: ProjectStore) => void;
}

/** A project in use: its store, the watch of its files and the background work on its chunks, with one lifetime. */
export class OpenProject implements Project {
  readonly path: string;
  readonly store: ProjectStore;
  readonly #deps: OpenProjectDeps;
  readonly #opening: Opening;
  readonly #enrichment: ProjectEnrichment;
  #watch: ProjectWatch | undefined;
  /** Whether the first indexing is over. */
  #isIndexed = false;
  #isClosed = false;

  /** @param former the project at the same path with the previous store; its watch carries over */
  constructor(opening: Opening, deps: OpenProjectDeps, former?: OpenProject) {
    this.path = opening.path;
    this.store = opening.store;
    this.#opening = opening;
    this.#deps = deps;
    this.#enrichment = deps.enrichment.workOn(this);
    if (former !== undefined) this.#watch = former.#watch;
  }

  /**
   * Schedules background work for chunks that lack vectors or questions. Returns at once;
   * idempotent.
   */
  enrich(): void {
    if (!this.#isClosed && this.#opening.mayEnrich()) this.#enrichment.schedule();
  }

  /** Whether vectors or questions are being made, or will be retried. */
  get isEnriching(): boolean {
    return this.#enrichment.isRunning;
  }

  /** Whether vectors or questions are being made now, not counting failed work that waits for a retry. */
  get isAtWork(): boolean {
    return this.#enrichment.isRunning && !this.#enrichment.isRetrying;
  }

  /** The texts refused by the models. */
  get refusals(): Refusals {
    return this.#enrichment.refusals;
  }

  /** Brings the chunks of sources up to date with their files. @throws as {@link Ingestion.ingest} */
  async ingest(scope: Scope = {}): Promise<IngestionReport> {
    const report = await this.#deps.ingestion.ingest(this, scope);
    this.#isIndexed ||= scope.group === undefined && scope.within === undefined;
    this.enrich();
    return report;
  }

  /** Indexes the current file of one source and restores missing chunks, or removes the chunks if the file is gone. */
  async ingestFile(sourceFile: string): Promise<SourceResult> {
    const result = await this.#deps.ingestion.ingestFile(this, sourceFile);
    this.enrich();
    return result;
  }

  /** Starts watching the sources, so that searches need not read them. Returns at once; idempotent. */
  watch(): void {
    this.#currentWatch();
  }

  /** Returns the current settings; first checks the files if this process does so before searches. */
  async prepareSearch(): Promise<Settings> {
    const { fileChecks, settings } = this.#deps;
    const watch = this.#currentWatch();
    if (fileChecks === 'before searches') await watch?.lookBeforeSearch();
    return settings.read(this.path);
  }

  /**
   * Starts the first indexing in the background if the project was never indexed, unless `neverIndexed` is `leave`.
   * Returns whether it was started, is running (in any process) or is still to come because nothing starts it;
   * undefined if it is over. Never throws.
   */
  async beginIndexing(
    neverIndexed: 'index' | 'leave' = 'index',
  ): Promise<FirstIndexing | 'to_come' | undefined> {
    if (this.#isIndexed) return undefined;
    try {
      if (await isFirstIndexing(this)) return 'running';
      const sources = await this.store.chunks.indexedSources();
      const mayStart = async () => neverIndexed === 'index' && (await this.#indexesByItself());
      if (sources.length === 0 && !(await mayStart())) return 'to_come';
      if (await this.#currentWatch()?.startIndexing(sources)) return 'started';
      this.#isIndexed = sources.length > 0;
    } catch (error) {
      const reason = errorReason(error);
      this.#deps.logger.warn('Could not determine whether the project is being indexed.', {
        reason,
      });
    }
    return undefined;
  }

  async #indexesByItself(): Promise<boolean> {
    if (this.#currentWatch() === undefined) return false;
    return (await this.#deps.settings.read(this.path)).autoReindex;
  }

  /** Stops the watch and the background work after the step in progress. The store stays open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#watch?.stop(), this.#enrichment.stop()]);
  }

  /**
   * Replaces a watch that has ended because the path holds another store. The new watch takes over its source groups.
   */
  #currentWatch(): ProjectWatch | undefined {
    const known = this.#watch;
    if (known?.project === this && !known.ended.aborted) return known;
    if (this.#isClosed || !this.#deps.watcher.isProject(this.path)) return undefined;
    const { handOver } = this.#opening;
    this.#watch = new ProjectWatch(this, { ...this.#deps, handOver }, known);
    return this.#watch;
  }
}
