import type { ProjectStore, ReleasableStores } from '../../src/ports/driven/project-stores.js';
import { memoryStores } from '../support/memory-stores.js';

/** Stores in memory that write down which are open; a store that is closed refuses every call. */
export class CountedStores implements ReleasableStores {
  /** The paths of the open stores, in the order in which they were opened. */
  readonly opened = new Map<string, ProjectStore>();
  readonly openings: string[] = [];
  readonly #stores = memoryStores();
  readonly #removed = new Set<string>();

  get openPaths(): readonly string[] {
    return [...this.opened.keys()];
  }

  async open(projectPath: string): Promise<ProjectStore> {
    this.#removed.delete(projectPath);
    const known = this.opened.get(projectPath);
    if (known !== undefined) return known;
    this.openings.push(projectPath);
    const store = { ...(await this.#stores.open(projectPath)) };
    this.opened.set(projectPath, store);
    return store;
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    return this.#removed.has(projectPath) ? undefined : this.open(projectPath);
  }

  locationOf(projectPath: string): string {
    return this.#stores.locationOf(projectPath);
  }

  async release(projectPath: string): Promise<void> {
    this.opened.delete(projectPath);
  }

  /** From now on another store is at this place, as after a database was replaced. */
  replace(projectPath: string): void {
    this.opened.delete(projectPath);
  }

  /** The directory of the project is gone. */
  remove(projectPath: string): void {
    this.#removed.add(projectPath);
  }

  async close(): Promise<void> {
    await this.#stores.close();
  }
}
