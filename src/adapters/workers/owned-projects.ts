import type { Clock } from '../../ports/driven/clock.js';
import { OWNER_REFRESH_MS } from './limits.js';

/** The projects of which the present owner has had a call lately, so that it does their background work. */
export class OwnedProjects {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** When each was last used there, the oldest first. */
  readonly #usedAt = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  note(project: string): void {
    this.#forgetOld();
    this.#usedAt.delete(project);
    this.#usedAt.set(project, this.#clock.monotonic());
  }

  forget(project: string): void {
    this.#usedAt.delete(project);
  }

  isRecent(project: string): boolean {
    const usedAt = this.#usedAt.get(project);
    return usedAt !== undefined && this.#clock.monotonic() - usedAt < OWNER_REFRESH_MS;
  }

  recent(): readonly string[] {
    this.#forgetOld();
    return [...this.#usedAt.keys()];
  }

  /** Those that are recent; none of them is from now on. */
  takeAll(): readonly string[] {
    const projects = this.recent();
    this.#usedAt.clear();
    return projects;
  }

  #forgetOld(): void {
    for (const project of this.#usedAt.keys()) {
      if (this.isRecent(project)) return;
      this.#usedAt.delete(project);
    }
  }
}
