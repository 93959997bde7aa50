import type { DatabaseReader } from '../../ports/chunk-import.js';
import type { PageFetcher } from '../../ports/page-fetcher.js';
import type { ProjectStores } from '../../ports/project-stores.js';
import type { Reranker } from '../../ports/reranker.js';

/** Adapters whose modules are loaded by their first call, because most processes never make one. */

export function lazyStores(load: () => Promise<ProjectStores>): ProjectStores {
  const stores = once(load);
  return {
    open: async (projectPath) => (await stores()).open(projectPath),
    find: async (projectPath) => (await stores()).find(projectPath),
    connect: async () => (await stores()).connect?.(),
    close: async () => (await stores()).close(),
  };
}

export function lazyPages(load: () => Promise<PageFetcher>): PageFetcher {
  const pages = once(load);
  return { fetch: async (...request) => (await pages()).fetch(...request) };
}

export function lazyDatabases(load: () => Promise<DatabaseReader>): DatabaseReader {
  const databases = once(load);
  return {
    async *read(...request) {
      yield* (await databases()).read(...request);
    },
  };
}

export function lazyReranker(load: () => Promise<Reranker>): Reranker {
  const reranker = once(load);
  return {
    isAvailable: () => true,
    rerank: async (...request) => (await reranker()).rerank(...request),
  };
}

export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
