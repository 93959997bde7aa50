import { errorReason } from '../../domain/errors.js';
import type { Settings } from '../../domain/settings.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { SettingsSource } from '../../ports/project-files.js';
import type { ProjectStore, ProjectStores } from '../../ports/project-stores.js';
import type { IndexedSource } from '../../ports/source-repository.js';
import type { ChangedPaths, SourceWatch, SourceWatcher } from '../../ports/source-watcher.js';
import { backoffMs } from '../../shared/backoff.js';
import type { CitationJudging } from '../citations/citation-judge.js';
import { announceFirstIndexing, isFirstIndexing } from '../ingestion/first-indexing.js';
import type { Ingestion, Scope } from '../ingestion/ingestion.js';
import type { WantedSources } from '../ingestion/wanted-groups.js';
import { HeldLease } from '../leases.js';
import type { Project } from '../project.js';
import { AFTER_FAILURES, pauseAfter, WATCH_LEASE } from './watch-schedule.js';

export interface WatchDeps {
  readonly watcher: SourceWatcher;
  readonly settings: SettingsSource;
  readonly stores: ProjectStores;
  readonly ingestion: Ingestion;
  readonly citations: CitationJudging;
  readonly quietSessions: { collect(project: Project): Promise<void> };
  /** When the files of a project are checked. */
  readonly fileChecks: 'at intervals' | 'before searches';
  readonly clock: Clock;
  readonly logger: Logger;
}

interface ProjectWatchDeps extends WatchDeps {
  /** Called when the path holds another store; this watch then ends. */
  readonly handOver: (store: ProjectStore) => void;
}

type WatchedProject = Project & { ingest(scope?: Scope): Promise<unknown> };

/** Watches the files of one project, and updates its chunks and citation states. */
export class ProjectWatch {
  readonly project: WatchedProject;
  readonly #deps: ProjectWatchDeps;
  readonly #watch: SourceWatch;
  readonly #stopping = new AbortController();
  readonly ended: AbortSignal = this.#stopping.signal;
  readonly #lease: HeldLease;
  readonly #running: Promise<void> | undefined;
  #wakeUp = new AbortController();
  /** Paths that may have changed since they were indexed. */
  #pending: Set<string> | 'everything' = new Set();
  #isSearched = false;
  #isIndexed = false;
  /** Source groups taken over from the previous store, until the current one has sources. */
  #formerGroups: WantedSources | undefined;
  #groups: WantedSources | undefined;

  /** @param former watch of the previous store at this path; its source groups carry over */
  constructor(project: WatchedProject, deps: ProjectWatchDeps, former?: ProjectWatch) {
    this.project = project;
    if (former !== undefined) {
      const asked = deps.ingestion.wanted.readAsked(former.project.store);
      this.#isIndexed = former.#isIndexed || asked !== undefined;
      this.#formerGroups = former.#groups ?? former.#formerGroups ?? asked;
      if (this.#isIndexed) this.#pending = 'everything';
    }
    this.#deps = deps;
    this.#watch = deps.watcher.watch(project.path);
    this.#lease = new HeldLease(deps.clock, { ...WATCH_LEASE, leases: project.store.upkeep });
    if (deps.fileChecks === 'at intervals') this.#running = this.#run();
  }

  /** Checks the files now. If that fails, logs it and leaves the work to the next check. */
  async lookBeforeSearch(): Promise<void> {
    this.#isSearched = true;
    await this.#look().catch((error: unknown) => this.#warn(error));
  }

  /** Starts the first indexing in the background if it is due and allowed. Returns whether it was started. */
  async startIndexing(sources: readonly IndexedSource[]): Promise<boolean> {
    if (this.#isSearched) return false;
    this.#isSearched = true;
    if (!(await this.#readSettings()).autoReindex || sources.length > 0) return false;
    announceFirstIndexing(this.project).catch(() => undefined);
    this.#remember(undefined);
    this.#wakeUp.abort();
    return true;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#lease.release();
  }

  /** Checks the files at intervals. Backs off after failures. */
  async #run(): Promise<void> {
    const { clock } = this.#deps;
    for (let failures = 0; !this.ended.aborted; ) {
      try {
        const startedAt = clock.monotonic();
        await this.#look();
        failures = 0;
        const pauseMs = pauseAfter(clock.monotonic() - startedAt);
        await clock.sleep(pauseMs, AbortSignal.any([this.ended, this.#wakeUp.signal]));
        this.#wakeUp = new AbortController();
      } catch (error) {
        if (this.ended.aborted) return;
        failures += 1;
        this.#warn(error);
        await clock.sleep(backoffMs(AFTER_FAILURES, failures), this.ended);
      }
    }
  }

  /** Checks the files once. At intervals, only the process with the lease does so; the others only index on request. */
  async #look(): Promise<void> {
    const { fileChecks, citations, quietSessions } = this.#deps;
    const settings = await this.#readSettings();
    if (!(await this.#isAtItsPlace()) || !(await this.#isInUse())) return;
    // Another process is reading the files for the first time. Waiting for it would block the search.
    if (fileChecks === 'before searches' && (await isFirstIndexing(this.project))) return;
    if (fileChecks === 'at intervals' && !(await this.#lease.hold())) {
      return void (await this.#ingestPending());
    }
    if (settings.autoReindex) {
      if (fileChecks === 'at intervals') await quietSessions.collect(this.project);
      const { includePatterns: include, excludePatterns: exclude, ignore } = settings;
      this.#remember(await this.#watch.changes({ include, exclude, ignore }));
      if (await this.#ingestPending()) return;
    }
    if (!this.ended.aborted) await citations.judge(this.project);
  }

  #remember(paths: ChangedPaths): void {
    if (paths === undefined) this.#pending = 'everything';
    if (this.#pending === 'everything') return;
    for (const path of paths ?? []) this.#pending.add(path);
  }

  /** Ingests the pending paths. Returns whether it did so; an ingestion also judges citations. */
  async #ingestPending(): Promise<boolean> {
    const pending = this.#pending;
    const isNothing = pending !== 'everything' && pending.size === 0;
    if (isNothing || !(await this.#isAtItsPlace())) return false;
    this.#pending = new Set();
    const paths = pending === 'everything' ? undefined : [...pending];
    try {
      await this.#ingest(paths);
      return true;
    } catch (error) {
      this.#remember(paths);
      throw error;
    }
  }

  /** Ingests these paths. If files are checked before searches, all groups are read; otherwise only the wanted ones. */
  async #ingest(within: ChangedPaths): Promise<void> {
    const { ingestion, fileChecks } = this.#deps;
    if (this.#formerGroups && (await this.#hasSources())) this.#formerGroups = undefined;
    this.#groups =
      fileChecks === 'before searches'
        ? 'all'
        : (this.#formerGroups ?? (await ingestion.wanted.of(this.project)));
    if (this.#groups === 'all') return void (await this.project.ingest({ within }));
    for (const group of this.#groups) await this.project.ingest({ group, within });
  }

  /** False for projects that nobody has searched or indexed, or whose first indexing is running elsewhere. */
  async #isInUse(): Promise<boolean> {
    const mayBeFirst = !this.#isIndexed && this.#pending !== 'everything';
    if (mayBeFirst && (await isFirstIndexing(this.project))) return false;
    this.#isIndexed ||= await this.#hasSources();
    return this.#isSearched || this.#isIndexed;
  }

  async #hasSources() {
    return (await this.project.store.chunks.indexedSources()).length > 0;
  }

  /** Whether the directory still holds this store. If not, stops the watch. */
  async #isAtItsPlace(): Promise<boolean> {
    const found = await this.#deps.stores.find(this.project.path);
    if (found === this.project.store) return true;
    if (found !== undefined && !this.ended.aborted) this.#deps.handOver(found);
    this.#stopping.abort();
    return false;
  }

  #readSettings(): Promise<Settings> {
    return this.#deps.settings.read(this.project.path);
  }

  #warn(error: unknown): void {
    this.#deps.logger.warn('Changed files could not be indexed and will be retried.', {
      project: this.project.path,
      reason: errorReason(error),
    });
  }
}
