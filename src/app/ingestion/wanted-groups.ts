import type { ProjectStore } from '../../ports/project-stores.js';
import type { Project } from '../project.js';
import type { SourceGroup } from './source-kinds.js';
import type { SourceReader } from './source-reader.js';

export type WantedSources = readonly SourceGroup[] | 'all';

/** Tracks which groups of sources were requested or indexed. Only these are kept up to date. */
export class WantedGroups {
  readonly #reader: Pick<SourceReader, 'groupFinder'>;
  /** The groups that this process was asked to read into each store. */
  readonly #asked = new WeakMap<ProjectStore, Set<SourceGroup> | 'all'>();

  constructor(reader: Pick<SourceReader, 'groupFinder'>) {
    this.#reader = reader;
  }

  /** Records that all sources, or those of a group, are read into a store. */
  add(store: ProjectStore, group: SourceGroup | 'all'): void {
    const asked = this.#asked.get(store) ?? new Set();
    const isAll = group === 'all' || asked === 'all';
    this.#asked.set(store, isAll ? 'all' : asked.add(group));
  }

  /** The groups that this process was asked to read into a store; undefined if none. */
  readAsked(store: ProjectStore): WantedSources | undefined {
    const asked = this.#asked.get(store);
    return asked === undefined || asked === 'all' ? asked : [...asked];
  }

  /**
   * The groups to keep up to date. These are all groups, unless reflections or agent outputs were requested or indexed,
   * but neither documentation nor memory, which are only indexed together with all sources.
   */
  async of({ path, store }: Project): Promise<WantedSources> {
    const asked = this.#asked.get(store) ?? [];
    if (asked === 'all') return 'all';
    const sources = await store.chunks.indexedSources();
    const indexed = sources.map(this.#reader.groupFinder(path));
    const groups = new Set([...asked, ...indexed]);
    const isPart = groups.has('reflections') || groups.has('agentOutputs');
    if (!isPart || groups.has('documentation') || groups.has('categories')) return 'all';
    return [...groups];
  }
}
