import type { ChangedPaths } from '../../../ports/driven/source-watcher.js';

/** What the system has told of, and when. */
export class ReportedChanges {
  /** By path; the empty path stands for everything. */
  readonly #toldAt = new Map<string, number>();

  add(paths: ChangedPaths): void {
    // Rounded up, because times of files have fractions.
    const now = Date.now() + 1;
    for (const path of paths ?? ['']) this.#toldAt.set(path, now);
  }

  /**
   * Whether a file was told of, by itself or with a folder above it, since it was changed.
   * @param changedAt milliseconds since 1970
   */
  covers(path: string, changedAt: number): boolean {
    for (let at = path; ; at = folderOf(at)) {
      if ((this.#toldAt.get(at) ?? Number.NEGATIVE_INFINITY) >= changedAt) return true;
      if (at === '') return false;
    }
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
