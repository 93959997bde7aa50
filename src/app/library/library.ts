import { invalidRequest } from '../../domain/errors.js';
import { cosineSimilarity, type Vector } from '../../domain/ranking/vector.js';
import type { Embedder } from '../../ports/embedder.js';
import { checkFields, type Fields } from '../../schemas/checks.js';
import { projectRequest, textRequest, textsRequest } from '../../schemas/fields.js';
import { completeRequest, untitledLessonsRequest } from '../../schemas/lessons.js';
import { projectsRequest } from '../../schemas/search.js';
import type { ComposedService, Service } from '../service/service.js';
import { knowledgeMethods } from './knowledge-methods.js';
import { requireRecord, storeMethods } from './store-methods.js';

/**
 * The service for programs that run it in their own process: the specification's service methods, with parameters in
 * its order, and the extensions. Every method checks its arguments against its request schema.
 *
 * Every method may throw KnowledgeError `invalid_request`, which names the argument, and the errors of its use case.
 */
export function createLibrary(service: Service, embedder: Embedder) {
  return {
    /** Search, ingestion and upkeep (docs/specification.md, "Service methods"). */
    store: storeMethods(service),
    /** Search in several projects at once. */
    projectsSearch: {
      searchProjects: async (
        projectPaths: readonly string[],
        query: string,
        options: Fields<typeof projectsRequest, 'projectPaths' | 'query'> = {},
      ) => {
        const fields = { ...requireRecord('options', options), projectPaths, query };
        return service.projectsSearch.search(checkFields(projectsRequest, fields));
      },
    },
    /** Lessons for new features, and from completed ones. */
    features: {
      lessonsFor: async (projectPath: string, feature: Fields<typeof untitledLessonsRequest>) => {
        const fields = { ...requireRecord('feature', feature), projectPath };
        return service.lessons.find(checkFields(untitledLessonsRequest, fields));
      },
      completeFeature: async (projectPath: string, featureId: string) =>
        service.completion.complete(checkFields(completeRequest, { projectPath, featureId })),
    },
    ...knowledgeMethods(service),
    /** Finds knowledge that no longer holds. */
    citations: {
      staleChunks: async (projectPath: string) =>
        service.stale.list(checkFields(projectRequest, { projectPath })),
    },
    /** The embedding model that the store uses; the search-only variant has none. */
    embedder: embeddings(embedder),
  };
}

/** The service for a program that runs it in its own process. */
export type RunningKnowledgeStore = ReturnType<typeof createLibrary> &
  Pick<ComposedService, 'stop'>;

/** A vector, as a typed array or a plain list. */
export type VectorLike = Vector | readonly number[];

function embeddings(embedder: Embedder) {
  return {
    /** True if the model is loaded, so that `embed` starts at once. */
    isReady: () => embedder.isReady(),
    /** The vector of one text, of length 1. The first call loads the model; concurrent calls wait for the same load. */
    embed: async (text: string) => embedder.embed(checkFields(textRequest, { text }).text),
    /** The vectors of several texts, in the same order. An empty list loads nothing. */
    embedBatch: async (texts: readonly string[]) =>
      embedder.embedBatch(checkFields(textsRequest, { texts }).texts),
    /** Cosine similarity, -1 to 1; 0 if either vector is zero. */
    cosineSimilarity: (a: VectorLike, b: VectorLike) => {
      for (const [name, vector] of Object.entries({ a, b })) checkVector(name, vector);
      if (a.length !== b.length) throw invalidRequest('a and b must have the same dimensions.');
      return cosineSimilarity(Float32Array.from(a), Float32Array.from(b));
    },
  };
}

function checkVector(name: string, value: unknown): void {
  const isList = value instanceof Float32Array || Array.isArray(value);
  const isNumber = (entry: unknown) =>
    typeof entry === 'number' && Number.isFinite(Math.fround(entry));
  if (isList && Array.from<unknown>(value).every(isNumber)) return;
  throw invalidRequest(`${name} must be a vector of finite numbers.`);
}
