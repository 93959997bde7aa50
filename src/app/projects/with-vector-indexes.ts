import type { EmbeddableTexts } from '../../ports/driven/embeddable-texts.js';
import type { ProjectStore, ProjectStores } from '../../ports/driven/project-stores.js';
import type { VectorIndex } from '../../ports/driven/vector-index.js';

/** The project and the kind of texts that a vector index is for. */
export interface VectorIndexPlace {
  readonly projectPath: string;
  readonly kind: 'content' | 'questions';
}

export type MakeVectorIndex = (texts: EmbeddableTexts, place: VectorIndexPlace) => VectorIndex;

/**
 * Adds custom vector indexes to any stores; everything but vectors stays in the underlying store.
 * `makeIndex` is called twice for each store that is opened. Closing the stores does not close the
 * indexes.
 */
export function withVectorIndexes(
  stores: ProjectStores,
  makeIndex: MakeVectorIndex,
): ProjectStores {
  const composed = new WeakMap<ProjectStore, ProjectStore>();
  const compose = (store: ProjectStore, projectPath: string): ProjectStore => {
    const known = composed.get(store) ?? composeStore(store, projectPath, makeIndex);
    composed.set(store, known);
    return known;
  };
  return {
    open: async (projectPath) => compose(await stores.open(projectPath), projectPath),
    find: async (projectPath) => {
      const store = await stores.find(projectPath);
      return store && compose(store, projectPath);
    },
    locationOf: (projectPath) => stores.locationOf(projectPath),
    close: () => stores.close(),
  };
}

function composeStore(
  store: ProjectStore,
  projectPath: string,
  makeIndex: MakeVectorIndex,
): ProjectStore {
  const vectors = makeIndex(store.texts.content, { projectPath, kind: 'content' });
  const questionVectors = makeIndex(store.texts.questions, { projectPath, kind: 'questions' });
  const comparisonProblem = async () => undefined;
  return { ...store, vectors, questionVectors, comparisonProblem };
}
