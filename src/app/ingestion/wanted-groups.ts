import type { ProjectStore } from '../../ports/project-stores.js';
import type { Project } from '../project.js';
import type { SourceGroup } from './source-kinds.js';
import type { SourceReader } from './source-reader.js';

/** The requested groups of sources; nothing else is kept up to date. */
export class WantedGroups {
  readonly #reader: Pick<SourceReader, 'groupOf'>;
  /** Stores that all sources were read into. */
  readonly #whole = new WeakSet<ProjectStore>();

  constructor(reader: Pick<SourceReader, 'groupOf'>) {
    this.#reader = reader;
  }

  /** Says that all sources are read into a store. */
  allOf(store: ProjectStore): void {
    this.#whole.add(store);
  }

  /**
   * `all`, unless only features and saved files were ever indexed: documentation and memory are indexed only with all
   * sources.
   */
  async of({ path, store }: Project): Promise<readonly SourceGroup[] | 'all'> {
    if (this.#whole.has(store)) return 'all';
    const sources = await store.chunks.indexedSources();
    const groups = new Set(sources.map((source) => this.#reader.groupOf(path, source)));
    const isPart = groups.has('reflections') || groups.has('agentOutputs');
    if (!isPart || groups.has('documentation') || groups.has('categories')) return 'all';
    return [...groups.add('saved')];
  }
}
