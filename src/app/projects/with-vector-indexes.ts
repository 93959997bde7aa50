import type { EmbeddableTexts } from '../../ports/driven/embeddable-texts.js';
import type { ProjectStore, ProjectStores } from '../../ports/driven/project-stores.js';
import type { ChunkWithoutQuestions, QuestionStore } from '../../ports/driven/question-store.js';
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
  const questions = new QuestionsAfterVectors({ ...store, vectors });
  const comparisonProblem = async () => undefined;
  return { ...store, questions, vectors, questionVectors, comparisonProblem };
}

/**
 * Decides which chunks need questions by the vectors of the custom index; the underlying store only
 * knows its own vectors.
 */
class QuestionsAfterVectors implements QuestionStore {
  readonly #store: Pick<ProjectStore, 'questions' | 'texts' | 'vectors'>;

  constructor(store: Pick<ProjectStore, 'questions' | 'texts' | 'vectors'>) {
    this.#store = store;
  }

  async pending(limit: number): Promise<readonly ChunkWithoutQuestions[]> {
    const { texts, vectors } = this.#store;
    const withoutVector = await vectors.pending(await texts.content.countChunks());
    const excluded = new Set(withoutVector.map(({ chunkId }) => chunkId));
    const found: ChunkWithoutQuestions[] = [];
    for (let offset = 0; found.length < limit; offset += PAGE_SIZE) {
      const page = await texts.content.newest(PAGE_SIZE, offset);
      const withQuestions = await texts.questions.of(page.map(({ chunkId }) => chunkId));
      for (const { chunkId } of withQuestions) excluded.add(chunkId);
      for (const {
        chunkId,
        texts: [text = ''],
      } of page) {
        if (!excluded.has(chunkId)) found.push({ id: chunkId, text });
      }
      if (page.length < PAGE_SIZE) break;
    }
    return found.slice(0, limit);
  }

  save(chunk: ChunkWithoutQuestions, questions: readonly string[]): Promise<void> {
    return this.#store.questions.save(chunk, questions);
  }
}

const PAGE_SIZE = 500;
