import type { Clock } from '../../ports/driven/clock.js';

/** Remembers which projects ended worker processes, and bars those that do so again and again; and which did no harm. */
export class ProjectBlame {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Canonical paths by the paths that callers use. */
  readonly #paths = new Map<string, string>();
  /** When each project has ended a worker, by canonical path. */
  readonly #ends = new Map<string, readonly number[]>();
  readonly #harmless = new Set<string>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Remembers the canonical path of a project, under which workers note what they work on. */
  know(projectPath: string, path: string): void {
    if (this.#paths.size >= MAX_KNOWN) this.#paths.clear();
    this.#paths.set(projectPath, path);
  }

  pathOf(projectPath: string): string {
    return this.#paths.get(projectPath) ?? projectPath;
  }

  /** A call of the project came to an end. */
  answered(projectPath: string): void {
    if (this.#harmless.size >= MAX_KNOWN) this.#harmless.clear();
    this.#harmless.add(projectPath);
  }

  /** Whether calls of the project came to an end before, and none of them ended a worker lately. */
  isHarmless(projectPath: string): boolean {
    return this.#harmless.has(projectPath) && !this.isSuspect(projectPath);
  }

  /** @param path canonical */
  ended(path: string): void {
    this.#ends.set(path, [...this.#recent(path), this.#clock.monotonic()]);
  }

  isSuspect(projectPath: string): boolean {
    return this.#recent(this.pathOf(projectPath)).length > 0;
  }

  isBarred(projectPath: string): boolean {
    return this.#recent(this.pathOf(projectPath)).length >= MAX_ENDS;
  }

  #recent(path: string): readonly number[] {
    const since = this.#clock.monotonic() - BLAME_MS;
    const recent = (this.#ends.get(path) ?? []).filter((at) => at > since);
    if (recent.length === 0) this.#ends.delete(path);
    return recent;
  }
}

const MAX_ENDS = 3;
const BLAME_MS = 10 * 60_000;
const MAX_KNOWN = 100_000;
