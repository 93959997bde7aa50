import { homedir } from 'node:os';
import type { AppDirectories } from '../../../ports/driven/app-directories.js';
import type {
  ChangedPaths,
  SourceWatch,
  SourceWatcher,
  WatchedSources,
} from '../../../ports/driven/source-watcher.js';
import { isWithin } from '../inside-project.js';
import { ProjectWatch } from './project-watch.js';
import type { WatchLimits } from './watch-limits.js';

/** Watches the files of projects in the file system. */
export class FileSystemSourceWatcher implements SourceWatcher {
  readonly #appDirs: AppDirectories;
  readonly #limits: WatchLimits;

  constructor(appDirs: AppDirectories, limits: WatchLimits = {}) {
    this.#appDirs = appDirs;
    this.#limits = limits;
  }

  /** The root of the file system contains every home directory. */
  isProject(projectPath: string): boolean {
    return !isWithin(projectPath, homedir());
  }

  watch(
    projectPath: string,
    { ignore }: WatchedSources,
    onChange: (paths: ChangedPaths) => void,
  ): SourceWatch {
    return new ProjectWatch({
      ...this.#limits,
      projectPath,
      appDir: this.#appDirs.of(projectPath),
      ignore,
      onChange,
    });
  }
}
