import { type Chunk, chunkId } from '../../domain/chunks/chunk.js';
import type { ChunkRepository } from '../../ports/chunk-repository.js';
import type { KeywordIndex } from '../../ports/keyword-index.js';
import type { ProjectStore, ProjectStores } from '../../ports/project-stores.js';
import type {
  IndexedSource,
  SourceChange,
  SourceRepository,
} from '../../ports/source-repository.js';

/** The same stores, as indexes of chunks that `repository` keeps. */
export function withChunkRepository(
  stores: ProjectStores,
  repository: ChunkRepository,
): ProjectStores {
  const composed = new WeakMap<ProjectStore, ProjectStore>();
  const compose = (store: ProjectStore, projectPath: string): ProjectStore => {
    const known = composed.get(store) ?? composeStore({ store, projectPath, repository });
    composed.set(store, known);
    return known;
  };
  return {
    open: async (projectPath) => compose(await stores.open(projectPath), projectPath),
    find: async (projectPath) => {
      const store = await stores.find(projectPath);
      return store && compose(store, projectPath);
    },
    connect: async () => stores.connect?.(),
    close: () => stores.close(),
  };
}

interface Composition {
  readonly store: ProjectStore;
  readonly projectPath: string;
  readonly repository: ChunkRepository;
}

function composeStore(composition: Composition): ProjectStore {
  const keywords = keywordsOf(composition);
  return { ...composition.store, chunks: sourcesOf(composition), keywords };
}

function sourcesOf(composition: Composition): SourceRepository {
  const { chunks } = composition.store;
  return {
    replaceSources: async (changes) => {
      const outcomes = await chunks.replaceSources(changes);
      for (const [index, change] of changes.entries()) {
        if (outcomes[index] !== 'changed') await copySource(composition, change);
      }
      return outcomes;
    },
    indexedSources: async (which) => {
      const sources = await chunks.indexedSources(which);
      return which === 'superseding' ? sources : keptSources(composition, sources);
    },
    getChunks: async (ids, also) => {
      const kept = await keptChunks(composition, ids);
      const indexed = also === undefined ? [] : await chunks.getChunks(ids, also);
      const questions = new Map(
        indexed.map((chunk) => [chunk.id, { questions: chunk.questions ?? [] }]),
      );
      return ids.flatMap((id) => {
        const chunk = kept.get(id);
        return chunk === undefined ? [] : { ...chunk, ...questions.get(id) };
      });
    },
    entries: () => chunks.entries(),
    sourceFiles: () => chunks.sourceFiles(),
    stats: () => chunks.stats(),
    record: (...retrieved) => chunks.record(...retrieved),
    findLines: (ids) => chunks.findLines(ids),
    deleteUnretrieved: async (ids, since) => {
      const deleted = await chunks.deleteUnretrieved(ids, since);
      await composition.repository.deleteChunks(composition.projectPath, deleted);
      return deleted;
    },
  };
}

async function copySource(
  { store, projectPath, repository }: Composition,
  { sourceFile, document }: SourceChange,
): Promise<void> {
  const ids = document?.chunks.map((_, index) => chunkId(sourceFile, index)) ?? [];
  try {
    const chunks = await store.chunks.getChunks(ids);
    await repository.replaceChunks(projectPath, sourceFile, chunks);
    if (document?.movedFrom !== undefined) {
      await repository.replaceChunks(projectPath, document.movedFrom, []);
    }
  } catch (error) {
    await store.chunks.replaceSources([{ sourceFile, document: undefined }]);
    throw error;
  }
}

/** Those of which the repository has as many chunks as the index. */
async function keptSources(
  composition: Composition,
  sources: readonly IndexedSource[],
): Promise<readonly IndexedSource[]> {
  const ids = sources.flatMap(({ sourceFile, documentChunkCount }) =>
    Array.from({ length: documentChunkCount }, (_, index) => chunkId(sourceFile, index)),
  );
  const counts = new Map<string, number>();
  for (const { sourceFile } of (await keptChunks(composition, ids)).values()) {
    counts.set(sourceFile, (counts.get(sourceFile) ?? 0) + 1);
  }
  return sources.filter(
    ({ sourceFile, chunkCount }) => (counts.get(sourceFile) ?? 0) >= chunkCount,
  );
}

async function keptChunks(
  { projectPath, repository }: Omit<Composition, 'store'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Chunk>> {
  const chunks = ids.length === 0 ? [] : await repository.getChunks(projectPath, ids);
  return new Map(chunks.map((chunk) => [chunk.id, chunk]));
}

function keywordsOf(composition: Composition): KeywordIndex {
  const { keywords } = composition.store;
  return {
    search: async (query) => {
      const found = await keywords.search(query);
      // Those of a list are in the hands of the caller already.
      if (query.filter.chunkIds !== undefined) return found;
      const ids = found.map(({ chunk }) => chunk.id);
      const kept = await keptChunks(composition, ids);
      return found.flatMap((scored) => {
        const chunk = kept.get(scored.chunk.id);
        return chunk === undefined ? [] : [{ ...scored, chunk }];
      });
    },
  };
}
