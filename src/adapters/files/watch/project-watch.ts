import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  isBuildFolder,
  isDocumentationFile,
  isDocumentationFolder,
} from '../../../domain/documentation.js';
import { settingsPath } from '../../../domain/project-layout.js';
import type { ChangedPaths, SourceWatch } from '../../../ports/driven/source-watcher.js';
import { pathIn } from '../folder-walk.js';
import { type FolderEvent, FolderWatches } from './folder-watches.js';
import { ReportedChanges } from './reported-changes.js';
import { changesBetween, type ScannedFiles, scanSources } from './source-scan.js';
import { WATCH_LIMITS, type WatchLimits } from './watch-limits.js';

export interface ProjectWatchOptions extends WatchLimits {
  readonly projectPath: string;
  readonly appDir: string;
  readonly ignore: boolean;
  readonly onChange: (paths: ChangedPaths) => void;
}

/**
 * Watches the folders of a project, and compares all of its files at intervals: the system may tell of no
 * change (network file systems, containers), or not watch enough folders.
 */
export class ProjectWatch implements SourceWatch {
  readonly #options: ProjectWatchOptions;
  readonly #watches: FolderWatches;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #wakeUp = new AbortController();
  /** Since the last scan began. */
  #told = new ReportedChanges();
  /** Paths that may be folders that came or went. */
  #folders = new Set<string>();
  #isComplete = true;
  /** Whether the system has told of every change that a scan found. */
  #isReliable = true;

  constructor(options: ProjectWatchOptions) {
    this.#options = options;
    this.#watches = new FolderWatches(options.projectPath, {
      maxFolders: options.maxFolders ?? WATCH_LIMITS.maxFolders,
      onEvent: (event) => this.#onEvent(event),
    });
    this.#ended = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#watches.close();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { checkEveryMs, pollEveryMs } = { ...WATCH_LIMITS, ...this.#options };
    let known: ScannedFiles | undefined;
    while (!signal.aborted) {
      const startedAt = performance.now();
      known = await this.#scan(known).catch(() => known);
      const tookMs = performance.now() - startedAt;
      const usualMs = this.#isComplete && this.#isReliable ? checkEveryMs : pollEveryMs;
      await this.#rest(Math.max(usualMs, tookMs * REST_PER_SCAN));
    }
    this.#watches.close();
  }

  /** Until somebody wakes it up. */
  async #rest(ms: number): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, this.#wakeUp.signal]);
    await pause(ms, undefined, { ref: false, signal }).catch(() => undefined);
    this.#wakeUp = new AbortController();
  }

  /** The first scan reports that anything may have changed, once all folders are watched. */
  async #scan(before: ScannedFiles | undefined): Promise<ScannedFiles> {
    const startedAt = Date.now();
    const toldBefore = this.#told;
    this.#told = new ReportedChanges();
    const folders = new Set<string>();
    let isComplete = true;
    const files = await scanSources(this.#options.projectPath, {
      ...this.#options,
      onFolder: (folder) => {
        folders.add(folder);
        isComplete = this.#watch(folder) && isComplete;
      },
    });
    this.#watches.keepOnly(folders);
    this.#isComplete = isComplete;
    if (before === undefined) this.#report(undefined);
    else this.#compare(before, { files, startedAt, toldBefore });
    return files;
  }

  /** Reports what the system has not told of, or everything that changed once that has happened. */
  #compare(before: ScannedFiles, { files, startedAt, toldBefore }: Scanned): void {
    const changed = changesBetween(before, files);
    const untold = changed.filter((path) => {
      const { changedAt = Number.POSITIVE_INFINITY } = files.get(path) ?? {};
      return !toldBefore.covers(path, changedAt) && !this.#told.covers(path, changedAt);
    });
    const isLate = (path: string) =>
      (files.get(path)?.changedAt ?? startedAt) < startedAt - TOLD_WITHIN_MS;
    if (untold.some(isLate)) this.#isReliable = false;
    const reported = this.#isReliable ? untold : changed;
    if (reported.length > 0) this.#report(reported);
  }

  #watch(folder: string): boolean {
    return !this.#stopping.signal.aborted && this.#watches.add(folder);
  }

  #onEvent({ folder, name, type }: FolderEvent): void {
    if (name === undefined) {
      this.#tell(folder === '' ? undefined : [folder]);
      return;
    }
    const path = pathIn(folder, { name });
    if (isDocumentationFile(name)) this.#tell([path]);
    else if (this.#decidesAboutOthers(folder, name)) {
      this.#wakeUp.abort();
      this.#tell(undefined);
    } else if (type === 'rename' && this.#mayBeFolder(path, name)) {
      this.#folders.add(path);
      if (this.#folders.size === 1) void this.#checkFolders();
    }
  }

  /** Whether an entry decides which files are sources: settings, rules of git, or that a folder is a repository. */
  #decidesAboutOthers(folder: string, name: string): boolean {
    const { appDir, ignore } = this.#options;
    if (folder === appDir) return pathIn(folder, { name }) === settingsPath(appDir);
    return ignore && (name === '.gitignore' || name === '.git');
  }

  #mayBeFolder(path: string, name: string): boolean {
    const { appDir, ignore } = this.#options;
    if (path === appDir) return true;
    return isDocumentationFolder(name) && !(ignore && isBuildFolder(name));
  }

  /** Watches new folders before they are reported, so that no file that is written next is missed. */
  async #checkFolders(): Promise<void> {
    const { signal } = this.#stopping;
    await pause(FOLDERS_AFTER_MS, undefined, { ref: false, signal }).catch(() => undefined);
    const paths = [...this.#folders];
    this.#folders = new Set();
    for (const path of paths) {
      if (signal.aborted) return;
      const wasFolder = this.#watches.has(path);
      if (wasFolder) this.#watches.remove(path);
      const isFolder = await isDirectory(join(this.#options.projectPath, path));
      if (isFolder) await this.#watchBelow(path);
      if (isFolder || wasFolder) this.#tell([path]);
    }
  }

  async #watchBelow(path: string): Promise<void> {
    const onFolder = (folder: string) => {
      if (!this.#watch(folder)) this.#isComplete = false;
    };
    await scanSources(this.#options.projectPath, {
      ...this.#options,
      within: [path],
      onFolder,
    }).catch(() => undefined);
  }

  #tell(paths: ChangedPaths): void {
    this.#told.add(paths);
    this.#report(paths);
  }

  #report(paths: ChangedPaths): void {
    if (this.#stopping.signal.aborted) return;
    this.#options.onChange(paths);
  }
}

interface Scanned {
  readonly files: ScannedFiles;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Between the beginning of the scan before and of this one. */
  readonly toldBefore: ReportedChanges;
}

/** A scan of a large project takes longer, and must not keep a processor busy. */
const REST_PER_SCAN = 20;
const TOLD_WITHIN_MS = 1_000;
const FOLDERS_AFTER_MS = 50;

async function isDirectory(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}
