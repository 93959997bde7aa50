import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  featuresFolder,
  ownFolders,
  settingsPath,
  sourcesOfFeature,
} from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type {
  ChangedPaths,
  SourceWatch,
  SourceWatcher,
  WatchedSources,
} from '../../ports/driven/source-watcher.js';
import { findMarkdown } from './file-lists.js';
import { pathIn, readFolderInside, type WalkedFolder } from './folder-walk.js';
import { isWithin } from './inside-project.js';

/** Compares the files of projects in the file system, which are looked at but not opened. */
export class FileSystemSourceWatcher implements SourceWatcher {
  readonly #appDirs: AppDirectories;

  constructor(appDirs: AppDirectories) {
    this.#appDirs = appDirs;
  }

  /** The root of the file system contains every home directory. */
  isProject(projectPath: string): boolean {
    return !isWithin(projectPath, homedir());
  }

  watch(projectPath: string): SourceWatch {
    return new ProjectWatch(projectPath, this.#appDirs);
  }
}

/** By path, relative to the project. */
type Versions = ReadonlyMap<string, string | undefined>;

/** Documentation files. They are looked for again only if a folder has changed in which they were looked for. */
interface Documentation {
  /** How they were looked for. */
  readonly search: string;
  readonly folders: Versions;
  readonly paths: readonly string[];
}

class ProjectWatch implements SourceWatch {
  readonly #projectPath: string;
  readonly #appDirs: AppDirectories;
  #documentation: Documentation | undefined;
  #versions: Versions | undefined;

  constructor(projectPath: string, appDirs: AppDirectories) {
    this.#projectPath = projectPath;
    this.#appDirs = appDirs;
  }

  async changes(patterns: WatchedSources): Promise<ChangedPaths> {
    const appDir = this.#appDirs.of(this.#projectPath);
    const settings = settingsPath(appDir);
    const { paths } = await this.#documentationOf(appDir, patterns);
    const versions = await this.#versionsOf([settings, ...paths, ...this.#ownSources(appDir)]);
    const before = this.#versions;
    this.#versions = versions;
    if (before?.get(settings) !== versions.get(settings)) return undefined;
    return before && changesBetween(before, versions);
  }

  async #documentationOf(appDir: string, patterns: WatchedSources): Promise<Documentation> {
    const search = JSON.stringify([appDir, patterns]);
    const known = this.#documentation;
    if (known?.search === search && this.#isUnchanged(known.folders)) return known;
    const folders = new Map<string, string | undefined>();
    const onFolder = ({ path, entries }: WalkedFolder) => {
      folders.set(path, this.#versionOf(path));
      for (const entry of entries.filter(({ name }) => name === '.gitignore')) {
        folders.set(pathIn(path, entry), this.#versionOf(pathIn(path, entry)));
      }
    };
    const { paths } = await findMarkdown(this.#projectPath, { ...patterns, appDir, onFolder });
    this.#documentation = { search, folders, paths };
    return this.#documentation;
  }

  /** What is a source whatever the patterns say. Most features have no more than these files, which are not searched for. */
  *#ownSources(appDir: string): Generator<string> {
    const features = featuresFolder(appDir);
    for (const folder of ownFolders(appDir)) {
      for (const entry of readFolderInside(this.#projectPath, folder).entries) {
        if (folder === features) yield* sourcesOfFeature(appDir, entry.name);
        else if (entry.name.endsWith('.md')) yield pathIn(folder, entry);
      }
    }
  }

  #isUnchanged(versions: Versions): boolean {
    for (const [path, version] of versions) {
      if (this.#versionOf(path) !== version) return false;
    }
    return true;
  }

  async #versionsOf(paths: Iterable<string>): Promise<Versions> {
    const versions = new Map<string, string>();
    let looked = 0;
    for (const path of paths) {
      const version = this.#versionOf(path);
      if (version !== undefined) versions.set(path, version);
      looked += 1;
      if (looked % FILES_AT_ONCE === 0) await setImmediate();
    }
    return versions;
  }

  /** Changes with every write; undefined where nothing is. Follows links, and is used for nothing else. */
  #versionOf(path: string): string | undefined {
    try {
      const { ino, size, mtimeMs, ctimeMs } = statSync(join(this.#projectPath, path));
      const isFresh = Date.now() - ctimeMs < TIME_STEP_MS;
      return `${ino}:${size}:${mtimeMs}:${ctimeMs}${isFresh ? ':fresh' : ''}`;
    } catch {
      return undefined;
    }
  }
}

const FILES_AT_ONCE = 500;

/** File systems count time in steps: another write within one of them changes no time. What was just written is looked at twice. */
const TIME_STEP_MS = 50;

/** The paths of files that came, went or were written. */
function changesBetween(before: Versions, after: Versions): readonly string[] {
  const written = [...after].filter(([path, version]) => before.get(path) !== version);
  const gone = [...before.keys()].filter((path) => !after.has(path));
  return [...written.map(([path]) => path), ...gone];
}
