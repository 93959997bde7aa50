import type { ProjectStore, ProjectStores } from '../../src/ports/driven/project-stores.js';
import type { RefillMark } from '../../src/ports/driven/refill-mark.js';

/** Stores whose projects may be marked as having lost their contents. */
export class StoresWithMarks implements ProjectStores {
  readonly #stores: ProjectStores;
  readonly #marked = new Set<string>();
  readonly #opened = new WeakMap<ProjectStore, ProjectStore>();

  constructor(stores: ProjectStores) {
    this.#stores = stores;
  }

  mark(projectPath: string): void {
    this.#marked.add(projectPath);
  }

  async open(projectPath: string): Promise<ProjectStore> {
    return this.#withMark(await this.#stores.open(projectPath), projectPath);
  }

  async find(projectPath: string): Promise<ProjectStore | undefined> {
    const store = await this.#stores.find(projectPath);
    return store && this.#withMark(store, projectPath);
  }

  locationOf(projectPath: string): string {
    return this.#stores.locationOf(projectPath);
  }

  close(): Promise<void> {
    return this.#stores.close();
  }

  #withMark(store: ProjectStore, projectPath: string): ProjectStore {
    const refill: RefillMark = {
      isSet: async () => this.#marked.has(projectPath),
      clear: async () => void this.#marked.delete(projectPath),
    };
    const opened = this.#opened.get(store) ?? { ...store, refill };
    this.#opened.set(store, opened);
    return opened;
  }
}
