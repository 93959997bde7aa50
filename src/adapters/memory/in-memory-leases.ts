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
    const now = this.#clock.now();
    const until = new Date(now.getTime() + durationMs);
    const held = this.#tables.leases.get(name);
    const isHeld = held !== undefined && now < held.until && held.until <= until;
    if (isHeld && held.holder !== this.#holder) return false;
    this.#tables.leases.set(name, { holder: this.#holder, until });
    return true;
  }

  async release(name: string): Promise<void> {
    const isMine = this.#tables.leases.get(name)?.holder === this.#holder;
    if (isMine) this.#tables.leases.delete(name);
  }
}
