import type { Clock } from '../../ports/driven/clock.js';
import type { Leases } from '../../ports/driven/leases.js';
import type { ProjectTables } from './project-tables.js';

/** Leases between instances that share the same data; each instance is one holder. */
export class InMemoryLeases implements Leases {
  readonly #tables: ProjectTables;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #holder = Symbol('holder');

  constructor(tables: ProjectTables, clock: Pick<Clock, 'now'>) {
    this.#tables = tables;
    this.#clock = clock;
  }

  async acquire(name: string, durationMs: number): Promise<boolean> {
    const isMine = this.#tables.leases.get(name)?.holder === this.#holder;
    if (!isMine && this.#isValid(name, durationMs)) return false;
    const until = new Date(this.#clock.now().getTime() + durationMs);
    this.#tables.leases.set(name, { holder: this.#holder, until });
    return true;
  }

  async isHeld(name: string, durationMs: number): Promise<boolean> {
    return this.#isValid(name, durationMs);
  }

  async release(name: string): Promise<void> {
    const isMine = this.#tables.leases.get(name)?.holder === this.#holder;
    if (isMine) this.#tables.leases.delete(name);
  }

  #isValid(name: string, durationMs: number): boolean {
    const until = this.#tables.leases.get(name)?.until.getTime() ?? 0;
    const leftMs = until - this.#clock.now().getTime();
    return leftMs > 0 && leftMs <= durationMs;
  }
}
