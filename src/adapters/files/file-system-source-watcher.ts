import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  featuresFolder,
  ownFolders,
  savedFolder,
  settingsPath,
  sourcesOfFeature,
} from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type {
  ChangedPaths,
  SourceWatch,
  SourceWatcher,
  WatchedSources,
} from '../../ports/source-watcher.js';
import { filesBelow, findMarkdown } from './file-lists.js';
import { joinPath, type WalkedFolder } from './folder-walk.js';
import { GITIGNORE, ignoreFilesAbove } from './git-ignore-rules.js';
import { isNoProject } from './nearest-project.js';
import { namesInside } from './read-folder.js';

/** Detects changes of project files by their metadata, without opening them. */
export class FileSystemSourceWatcher implements SourceWatcher {
  readonly #appDirs: AppDirectories;

  constructor(appDirs: AppDirectories) {
    this.#appDirs = appDirs;
  }

  isProject(projectPath: string): boolean {
    return !isNoProject(projectPath);
  }

  watch(projectPath: string): SourceWatch {
    return new ProjectWatch(projectPath, this.#appDirs);
  }
}

/** Versions of files by path, relative to the project. */
type Versions = ReadonlyMap<string, string | undefined>;

/** The version of a file at its last check, and the number of that check. */
interface SeenFile {
  version: string;
  look: number;
}

/**
 * The result of the last search for documentation files. The search is repeated only if its options, a searched folder
 * or a `.gitignore` have changed.
 */
interface Documentation {
  /** The options of that search, as JSON. */
  readonly search: string;
  readonly folders: Versions;
  readonly paths: readonly string[];
}

class ProjectWatch implements SourceWatch {
  readonly #projectPath: string;
  readonly #appDirs: AppDirectories;
  #documentation: Documentation | undefined;
  /** Files by path. Undefined while the state is incomplete: before the first check, and after a failed one. */
  #seen: Map<string, SeenFile> | undefined;
  #looks = 0;

  constructor(projectPath: string, appDirs: AppDirectories) {
    this.#projectPath = projectPath;
    this.#appDirs = appDirs;
  }

  async changes(patterns: WatchedSources): Promise<ChangedPaths> {
    const appDir = this.#appDirs.of(this.#projectPath);
    const settings = settingsPath(appDir);
    const { paths } = await this.#readDocumentation(appDir, patterns);
    const before = this.#seen;
    const seen = before ?? new Map();
    this.#seen = undefined;
    const changed = await this.#look(this.#sources(appDir, paths), seen);
    this.#seen = seen;
    return before === undefined || changed.includes(settings) ? undefined : changed;
  }

  async #readDocumentation(appDir: string, patterns: WatchedSources): Promise<Documentation> {
    const search = JSON.stringify([appDir, patterns]);
    const known = this.#documentation;
    if (known?.search === search && this.#isUnchanged(known.folders)) return known;
    const above = patterns.ignore ? ignoreFilesAbove(this.#projectPath) : [];
    const folders = new Map(above.map((path) => [path, this.#readVersion(path)]));
    const onFolder = ({ path, entries }: WalkedFolder) => {
      folders.set(path, this.#readVersion(path));
      for (const entry of entries.filter(({ name }) => name === GITIGNORE)) {
        folders.set(joinPath(path, entry), this.#readVersion(joinPath(path, entry)));
      }
    };
    const { paths } = await findMarkdown(this.#projectPath, { ...patterns, appDir, onFolder });
    this.#documentation = { search, folders, paths };
    return this.#documentation;
  }

  *#sources(appDir: string, documentation: readonly string[]): Generator<string> {
    yield settingsPath(appDir);
    yield* documentation;
    yield* this.#ownSources(appDir);
  }

  /** Sources that do not depend on patterns. The files of a feature have fixed names, so its folder is not read. */
  *#ownSources(appDir: string): Generator<string> {
    const features = featuresFolder(appDir);
    const deep = [savedFolder(appDir, 'file'), savedFolder(appDir, 'manual')];
    for (const folder of deep) yield* filesBelow(this.#projectPath, folder).paths;
    for (const folder of ownFolders(appDir)) {
      if (deep.includes(folder)) continue;
      for (const name of namesInside(this.#projectPath, folder).entries) {
        if (folder === features) yield* sourcesOfFeature(appDir, name);
        else if (name.endsWith('.md')) yield joinPath(folder, { name });
      }
    }
  }

  #isUnchanged(versions: Versions): boolean {
    for (const [path, version] of versions) {
      if (this.#readVersion(path) !== version) return false;
    }
    return true;
  }

  /**
   * Records the current state of the files; returns the paths that were added, removed or written.
   * Keeps the object of an unchanged file: checks run every second, and 100,000 new objects each
   * time would burden the garbage collector.
   */
  async #look(paths: Iterable<string>, seen: Map<string, SeenFile>): Promise<readonly string[]> {
    const changed: string[] = [];
    this.#looks += 1;
    const look = this.#looks;
    let looked = 0;
    for (const path of paths) {
      const version = this.#readVersion(path);
      const known = seen.get(path);
      if (known?.version !== version) changed.push(path);
      if (version === undefined) seen.delete(path);
      else if (known?.version === version) known.look = look;
      else seen.set(path, { version, look });
      looked += 1;
      if (looked % FILES_AT_ONCE === 0) await setImmediate();
    }
    for (const [path, file] of seen) {
      if (file.look === look) continue;
      seen.delete(path);
      changed.push(path);
    }
    return changed;
  }

  /**
   * A version that changes with every write; undefined if nothing exists. Follows links, possibly out of the project,
   * so it serves only for detecting changes.
   */
  #readVersion(path: string): string | undefined {
    try {
      const stats = statSync(join(this.#projectPath, path), { throwIfNoEntry: false });
      if (stats === undefined) return undefined;
      const { ino, size, mtimeMs, ctimeMs } = stats;
      const isFresh = Date.now() - ctimeMs < TIME_STEP_MS;
      return [ino, size, mtimeMs, ctimeMs, isFresh ? 'fresh' : ''].join(':');
    } catch {
      return undefined;
    }
  }
}

const FILES_AT_ONCE = 500;

/**
 * File systems record time in steps, and a second write within one step changes no time. The version of a file that was
 * just written is therefore marked, so that a later check reports it once more.
 */
const TIME_STEP_MS = 50;
