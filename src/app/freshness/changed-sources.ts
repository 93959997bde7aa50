import { CHANGED_PATHS_MAX, CHANGES_QUIET_MS, CHANGES_WAIT_MAX_MS } from '../../domain/limits.js';
import type { ChangedPaths } from '../../ports/driven/source-watcher.js';

/**
 * Collects changed paths until nothing has changed for a moment: editors and version control write a file in
 * several steps, or remove and create it, and many files at once. Where changes go on, those files are taken
 * after a while that are quiet themselves. Times are of a monotonic clock, in milliseconds.
 */
export class ChangedSources {
  readonly #changedAt = new Map<string, number>();
  #isAnything = false;
  #since = 0;
  #last = 0;

  add(paths: ChangedPaths, now: number): void {
    if (this.isEmpty()) this.#since = now;
    this.#last = now;
    for (const path of paths ?? []) this.#changedAt.set(path, now);
    if (paths !== undefined && this.#changedAt.size <= CHANGED_PATHS_MAX) return;
    this.#isAnything = true;
    this.#changedAt.clear();
  }

  isEmpty(): boolean {
    return !this.#isAnything && this.#changedAt.size === 0;
  }

  /** Takes out what is due, or says how long to wait until something is. */
  take(now: number): { readonly paths: ChangedPaths } | { readonly waitMs: number } {
    const quietAt = this.#last + CHANGES_QUIET_MS;
    const dueAt = Math.min(quietAt, this.#since + CHANGES_WAIT_MAX_MS);
    if (now < dueAt) return { waitMs: dueAt - now };
    this.#since = now;
    if (this.#isAnything) {
      this.#isAnything = false;
      return { paths: undefined };
    }
    const due = [...this.#changedAt].flatMap(([path, at]) =>
      at + CHANGES_QUIET_MS <= now ? [path] : [],
    );
    for (const path of due) this.#changedAt.delete(path);
    return due.length > 0 ? { paths: due } : { waitMs: quietAt - now };
  }
}
