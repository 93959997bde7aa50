import type { Clock } from '../../ports/driven/clock.js';

/** What the pool has seen of the projects that are called. Paths of callers are translated to canonical ones. */
export class KnownProjects {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Canonical paths by the paths that callers use. */
  readonly #paths = new Map<string, string>();
  /** Those of which a call came to an end. */
  readonly #harmless = new Set<string>();
  /** When the present owner has answered a call of each. */
  readonly #ownedAt = new Map<string, number>();
  /** When each has ended workers. */
  readonly #ends = new Map<string, readonly number[]>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  know(projectPath: string, path: string): void {
    if (this.#paths.size >= MAX_KNOWN) this.#paths.clear();
    this.#paths.set(projectPath, path);
  }

  /** The canonical path of a project, under which workers note what they work on. */
  pathOf(projectPath: string): string {
    return this.#paths.get(projectPath) ?? projectPath;
  }

  answered(projectPath: string): void {
    if (this.#harmless.size >= MAX_KNOWN) this.#harmless.clear();
    this.#harmless.add(this.pathOf(projectPath));
  }

  /** The owner has the project now, and does its background work. */
  owned(projectPath: string): void {
    const path = this.pathOf(projectPath);
    this.#ownedAt.delete(path);
    this.#ownedAt.set(path, this.#clock.monotonic());
  }

  disowned(projectPath: string): void {
    this.#ownedAt.delete(this.pathOf(projectPath));
  }

  isOwned(projectPath: string): boolean {
    const since = this.#clock.monotonic() - OWNER_REFRESH_MS;
    return (this.#ownedAt.get(this.pathOf(projectPath)) ?? Number.NEGATIVE_INFINITY) > since;
  }

  /** The projects that the owner has. */
  allOwned(): readonly string[] {
    for (const path of this.#ownedAt.keys()) {
      if (this.isOwned(path)) break;
      this.#ownedAt.delete(path);
    }
    return [...this.#ownedAt.keys()];
  }

  /** A worker that worked on the project was ended, or crashed. */
  endedWorker(path: string): void {
    this.#ends.set(path, [...this.#endsOf(path), this.#clock.monotonic()]);
  }

  /** Whether calls of the project came to an end before, and none of them ended a worker lately. */
  isHarmless(projectPath: string): boolean {
    const path = this.pathOf(projectPath);
    return this.#harmless.has(path) && this.#endsOf(path).length === 0;
  }

  isBarred(projectPath: string): boolean {
    return this.#endsOf(this.pathOf(projectPath)).length >= MAX_ENDS;
  }

  #endsOf(path: string): readonly number[] {
    const since = this.#clock.monotonic() - BLAME_MS;
    const recent = (this.#ends.get(path) ?? []).filter((at) => at > since);
    if (recent.length === 0) this.#ends.delete(path);
    return recent;
  }
}

/** After so long the owner gets a call of a project again, so that it does not give up the background work. */
const OWNER_REFRESH_MS = 60_000;

const MAX_ENDS = 3;
const BLAME_MS = 10 * 60_000;
const MAX_KNOWN = 100_000;
