import { invalidRequest } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';
import { checkFields, type Fields } from '../../schemas/checks.js';
import { projectRequest } from '../../schemas/fields.js';
import { anySimilarRequest } from '../../schemas/lessons.js';
import { readRequest, reflectionsRequest, searchRequest } from '../../schemas/search.js';
import { categoryFileRequest } from '../../schemas/upkeep.js';
import type { CallOptions } from '../ingestion/source-reader.js';
import type { Service } from '../service/service.js';

/** The service methods of the specification, with their types (docs/specification.md, "Service methods"). */
export function storeMethods(service: Service) {
  return {
    ...searching(service),
    ...ingestion(service),
    ...status(service),
    ...upkeep(service),
  };
}

function searching({ search }: Service) {
  return {
    /**
     * The chunks that match a query, best first: at most `maxResults` (20) within `maxTokens` (8,000). Counts as a
     * retrieval.
     */
    search: async (
      projectPath: string,
      query: string,
      options: Fields<typeof searchRequest, 'projectPath' | 'query'> = {},
    ) =>
      search.answer(
        checkFields(searchRequest, { ...requireRecord('options', options), projectPath, query }),
      ),
    /**
     * Searches for people and agents: the best measured ranking, no duplicate text, no weak results. Counts as a
     * retrieval.
     */
    find: async (
      projectPath: string,
      query: string,
      options: Fields<typeof readRequest, 'projectPath' | 'query'> = {},
    ) =>
      search.read(
        checkFields(readRequest, { ...requireRecord('options', options), projectPath, query }),
      ),
    /**
     * Reflections and agent outputs that match a text, read as plain words: at most `maxResults` (5) within 3,000
     * tokens. Counts as a retrieval.
     */
    searchReflections: async (projectPath: string, query: string, maxResults?: number) =>
      search.reflections(checkFields(reflectionsRequest, { projectPath, query, maxResults })),
    /**
     * Chunks similar to the first 20 words of a text; chunks of `sourceFile`, relative to the project, are left out. At
     * most `maxResults` (20) within 1,000,000 tokens. Does not count as a retrieval.
     */
    // biome-ignore lint/complexity/useMaxParams: docs/specification.md has four parameters here
    findSimilarChunks: async (
      projectPath: string,
      text: string,
      sourceFile?: string,
      maxResults?: number,
    ) =>
      search.similar(checkFields(anySimilarRequest, { projectPath, text, sourceFile, maxResults })),
  };
}

function ingestion({ indexing, setup }: Service) {
  const project = (projectPath: string) => checkFields(projectRequest, { projectPath });
  return {
    /** Opens the project's store; creates it, or its missing parts. */
    initialize: async (projectPath: string) => setup.initialize(project(projectPath)),
    /** Indexes `features/{id}/reflection.md` of every feature. Returns the number of files indexed. */
    ingestReflections: async (projectPath: string) =>
      indexing.group(project(projectPath), 'reflections'),
    /**
     * Indexes the last 2,000 characters of `features/{id}/agent-output.md` of every feature. Returns the number of
     * files indexed.
     */
    ingestAgentOutputs: async (projectPath: string) =>
      indexing.group(project(projectPath), 'agentOutputs'),
    /**
     * If the setting `autoReindex` is true, indexes new and changed sources, removes deleted ones, restores pruned
     * chunks and rebuilds the full-text index. Otherwise the same as `rebuildIndex`.
     */
    reindex: async (projectPath: string, options?: CallOptions) =>
      indexing.rebuild(project(projectPath), options),
    /** Indexes new and changed sources, and removes deleted ones. Does not restore pruned chunks of unchanged files. */
    readAllSources: async (projectPath: string, options?: CallOptions) =>
      indexing.ingest(project(projectPath), options),
    /** Rebuilds the full-text index from the chunks, without reading files. */
    rebuildIndex: async (projectPath: string) => indexing.rebuildFullText(project(projectPath)),
  };
}

function status({ status: of }: Service) {
  const orLast = (projectPath?: string) =>
    projectPath === undefined ? {} : checkFields(projectRequest, { projectPath });
  return {
    /**
     * Statistics of a store. Without a path, this and the next two methods use the project that was initialized or used
     * last.
     */
    getStats: async (projectPath?: string) => of.stats(orLast(projectPath)),
    /** Number of chunks with a vector of their content. */
    getEmbeddingStatus: async (projectPath?: string) => of.embeddings(orLast(projectPath)),
    /** Number of chunks with a vector of the questions they answer (HyPE). */
    getHypeStatus: async (projectPath?: string) => of.hype(orLast(projectPath)),
    getModelStatus: () => of.model(),
  };
}

function upkeep({ compaction, pruning }: Service) {
  const category = (projectPath: string, categoryFile: string, threshold?: number) => {
    const fields = checkFields(categoryFileRequest, { projectPath, categoryFile, threshold });
    const { categoryFile: name, ...others } = fields;
    return { ...others, category: name };
  };
  const prune = (projectPath: string, dryRun: boolean) =>
    pruning.prune({ ...checkFields(projectRequest, { projectPath }), dryRun });
  return {
    /** Summarizes `<appdir>/memory/{categoryFile}.md` if it has more than `threshold` tokens (50,000). */
    compactCategory: async (projectPath: string, categoryFile: string, threshold?: number) =>
      compaction.compact(category(projectPath, categoryFile, threshold)),
    /** Returns a preview of `compactCategory`. Calls no model and changes nothing. */
    previewCompaction: async (projectPath: string, categoryFile: string, threshold?: number) =>
      compaction.compact({ ...category(projectPath, categoryFile, threshold), dryRun: true }),
    /** Deletes the chunks that were never retrieved and are at least 90 days old. Returns their number. */
    pruneStaleChunks: async (projectPath: string) => (await prune(projectPath, false)).deleted,
    /** Like `pruneStaleChunks`, but returns the chunks with the reason for each. */
    pruneWithReport: async (projectPath: string) => (await prune(projectPath, false)).chunks,
    /** Returns the chunks that `pruneStaleChunks` would delete. */
    previewPrune: async (projectPath: string) => (await prune(projectPath, true)).chunks,
  };
}

/** @throws KnowledgeError `invalid_request` */
export function requireRecord(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw invalidRequest(`${name} must be an object.`);
}
