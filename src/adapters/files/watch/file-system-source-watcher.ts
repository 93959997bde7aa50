import { homedir } from 'node:os';
import type {
  ChangedPaths,
  SourceWatch,
  SourceWatcher,
  WatchedSources,
} from '../../../ports/driven/source-watcher.js';
import { isWithin } from '../inside-project.js';
import { ProjectWatch } from './project-watch.js';

/** Watches the files of projects in the file system. */
export class FileSystemSourceWatcher implements SourceWatcher {
  readonly #appDir: string;
  readonly #home: string;

  constructor(appDir: string, home = homedir()) {
    this.#appDir = appDir;
    this.#home = home;
  }

  /** The root of the file system contains every home directory. */
  isProject(projectPath: string): boolean {
    return !isWithin(projectPath, this.#home);
  }

  watch(
    projectPath: string,
    { ignore }: WatchedSources,
    onChange: (paths: ChangedPaths) => void,
  ): SourceWatch {
    return new ProjectWatch({ projectPath, appDir: this.#appDir, ignore, onChange });
  }
}
