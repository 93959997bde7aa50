import type { KnowledgeServices } from './knowledge-services.js';

/**
 * What a method asks of the process that runs it, where several processes serve the same projects.
 *
 * - `read`: any process can run it, and it may be run again if a process ended meanwhile.
 * - `write`: must not be run twice.
 * - `upkeep`: a write that may take minutes.
 * - `local`: concerns no project.
 */
export type MethodKind = 'read' | 'write' | 'upkeep' | 'local';

/** The services whose methods begin with the path of a project. */
export type ProjectServices = Omit<KnowledgeServices, 'embedder' | 'across'>;

type ServiceName = keyof ProjectServices;

/** The kind of every method of every driving port; the compiler finds one that is missing. */
export const SERVICE_METHODS = {
  store: {
    initialize: 'write',
    search: 'read',
    countRetrievals: 'read',
    searchReflections: 'read',
    findSimilarChunks: 'read',
    ingestReflections: 'upkeep',
    ingestAgentOutputs: 'upkeep',
    reindex: 'upkeep',
    readAllSources: 'upkeep',
    rebuildIndex: 'upkeep',
    getStats: 'read',
    getEmbeddingStatus: 'read',
    getEmbeddingProgress: 'read',
    getHypeStatus: 'read',
    isFirstIndexing: 'read',
    getModelStatus: 'local',
    compactCategory: 'upkeep',
    previewCompaction: 'read',
    draftCompaction: 'upkeep',
    restoreCategory: 'write',
    pruneStaleChunks: 'upkeep',
    pruneWithReport: 'upkeep',
    previewPrune: 'read',
  },
  features: { lessonsFor: 'read', completeFeature: 'upkeep' },
  notes: { addNote: 'write', replaceNote: 'write', deleteNote: 'write' },
  documents: { pushDocument: 'write' },
  pages: { savePage: 'upkeep' },
  digests: { makeDigest: 'upkeep' },
  sources: {
    listSources: 'read',
    readLines: 'read',
    linesOf: 'read',
    deleteSource: 'write',
    getChunk: 'read',
  },
  citations: { staleChunks: 'read' },
  overview: { surveyChunks: 'read', listChunks: 'read', mapChunks: 'read' },
  recovery: { examine: 'upkeep', repair: 'upkeep' },
} as const satisfies {
  readonly [Name in ServiceName]: {
    readonly [Method in keyof ProjectServices[Name]]: MethodKind;
  };
};
