import { type Chunk, chunkId } from '../../domain/chunks/chunk.js';
import { COUNTED_CHUNKS_MAX } from '../../domain/limits.js';
import { wantedTerms } from '../../domain/query/expression.js';
import type { ChunkRepository, WordQuery } from '../../ports/chunk-repository.js';
import type { KeywordIndex } from '../../ports/keyword-index.js';
import type { ProjectStore, ProjectStores } from '../../ports/project-stores.js';
import type {
  IndexedSource,
  SourceChange,
  SourceRepository,
  StoredChunk,
} from '../../ports/source-repository.js';
import { matchesFilter } from './matches-filter.js';

/**
 * Stores whose chunks are held and found by the host program's repository.
 * @param stores in-memory stores for what the repository lacks: vectors, questions, citations, leases and the list of
 *   indexed sources
 */
export function storesOverRepository(
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
  const keywords = keywordsOver(composition);
  return { ...composition.store, chunks: sourcesOver(composition), keywords };
}

function sourcesOver(composition: Composition): SourceRepository {
  const { store, projectPath, repository } = composition;
  const { chunks } = store;
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
    getChunks: (ids, also) => storedChunks(composition, ids, also),
    entries: () => chunks.entries(),
    sourceFiles: () => chunks.sourceFiles(),
    stats: () => repository.getStats(projectPath),
    record: async (ids, at) => {
      if (ids.length === 0) return;
      await Promise.all([repository.countRetrievals(projectPath, ids, at), chunks.record(ids, at)]);
    },
    findLines: (ids) => chunks.findLines(ids),
    deleteChunks: async (ids, unusedSince) => {
      const deleted = await chunks.deleteChunks(ids, unusedSince);
      await repository.deleteChunks(projectPath, deleted);
      return deleted;
    },
  };
}

/** Returns chunks of the repository, with their questions if requested, which only the in-memory store has. */
async function storedChunks(
  composition: Composition,
  ids: readonly string[],
  also?: 'questions',
): Promise<readonly StoredChunk[]> {
  const { chunks } = composition.store;
  const kept = await keptChunks(composition, ids);
  const indexed = also === undefined ? [] : await chunks.getChunks(ids, also);
  const questions = new Map(
    indexed.map((chunk) => [chunk.id, { questions: chunk.questions ?? [] }]),
  );
  return ids.flatMap((id) => {
    const chunk = kept.get(id);
    return chunk === undefined ? [] : { ...chunk, ...questions.get(id) };
  });
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

/** Drops sources of which the repository lacks chunks, so that the next ingestion restores them. */
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

function keywordsOver({ projectPath, repository }: Composition): KeywordIndex {
  return {
    countChunks: async (words) => {
      const { totalChunks: chunks } = await repository.getStats(projectPath);
      const count = async (word: string) =>
        (await repository.searchChunks(projectPath, wordQuery(word))).length;
      return { chunks, holding: await Promise.all(words.map(count)) };
    },
    // Returns none, because a repository finds only whole words.
    mixedCaseWords: async () => [],
    search: async ({ expression, filter, limit }) => {
      const words = wantedTerms(expression).map(({ text }) => text);
      if (words.length === 0) return [];
      const found = await repository.searchChunks(projectPath, { words, expression, limit });
      return found
        .filter(({ chunk }) => matchesFilter(chunk, filter))
        .toSorted((a, b) => b.score - a.score || b.chunk.importance - a.chunk.importance)
        .slice(0, limit)
        .map(({ chunk, score }) => ({ chunk, score, bm25: score }));
    },
  };
}

function wordQuery(word: string): WordQuery {
  const expression = { kind: 'terms', terms: [{ text: word, prefix: false }] } as const;
  return { words: [word], expression, limit: COUNTED_CHUNKS_MAX };
}
