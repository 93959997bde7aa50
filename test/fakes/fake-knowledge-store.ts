import type { SearchAnswer } from '../../src/domain/search.js';
import type { VectorStatus } from '../../src/domain/stats.js';
import type { CitationService, StaleChunk } from '../../src/ports/driving/citation-service.js';
import type { DigestReport, DigestService } from '../../src/ports/driving/digest-service.js';
import type {
  DocumentsService,
  PushedDocument,
} from '../../src/ports/driving/documents-service.js';
import type {
  CompletionReport,
  FeatureLifecycle,
  FoundLessons,
  UpcomingFeature,
} from '../../src/ports/driving/feature-lifecycle.js';
import type { IngestionReport } from '../../src/ports/driving/ingestion-service.js';
import type { KnowledgeStore } from '../../src/ports/driving/knowledge-store.js';
import type {
  KnownNote,
  NewNote,
  NotesService,
  SavedNote,
} from '../../src/ports/driving/notes-service.js';
import type { PageService, SavedPageReport } from '../../src/ports/driving/page-service.js';
import type { ProjectsAnswer, ProjectsSearch } from '../../src/ports/driving/projects-search.js';
import type {
  ChunkDetails,
  SourceContent,
  SourceDeletion,
  SourceLines,
  SourceOverview,
  SourceReport,
  SourcesService,
} from '../../src/ports/driving/sources-service.js';
import type { KnowledgeStats, ModelStatus } from '../../src/ports/driving/status-service.js';
import type {
  CompactionDraft,
  CompactionReport,
  PrunedChunk,
  RestorationReport,
} from '../../src/ports/driving/upkeep-service.js';
import {
  ANSWER,
  CHUNK_DETAILS,
  COMPACTION,
  COMPLETION,
  DIGEST,
  FULL_CHUNK,
  INGESTED,
  NOTE,
  PRUNED,
  PUSHED_DOCUMENT,
  RESTORATION,
  SAVED_PAGE,
  SOURCE_CONTENT,
  SOURCES,
  STALE,
  STATS,
} from './fake-knowledge-answers.js';
import { FakeOverview } from './fake-overview.js';
import { FakeRecovery } from './fake-recovery.js';

/**
 * A store, and the lifecycle of its features, that give the same answer to everybody and write down
 * who asked. What they answer holds every optional field, and more than any route shows.
 */
export class FakeKnowledgeStore
  implements
    KnowledgeStore,
    FeatureLifecycle,
    NotesService,
    SourcesService,
    ProjectsSearch,
    PageService,
    DocumentsService,
    DigestService,
    CitationService
{
  readonly calls: { readonly method: string; readonly args: readonly unknown[] }[] = [];
  #before: () => Promise<void> = async () => undefined;

  /** Every later call fails with this error. */
  failWith(error: unknown): void {
    this.#before = () => Promise.reject(error);
  }

  /** Every later call waits until the returned function has been called. */
  hold(): () => void {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#before = () => held;
    return release;
  }

  /** Resolves when this many calls have been made. */
  async called(times: number): Promise<void> {
    while (this.calls.length < times) await new Promise((resolve) => setImmediate(resolve));
  }

  async initialize(...args: readonly unknown[]): Promise<void> {
    return this.answer('initialize', args, undefined);
  }

  /** A query without words only asks whether the project is ready; it is not written down. */
  async search(...args: readonly unknown[]): Promise<SearchAnswer> {
    const { indexing: _, ...ready } = ANSWER;
    if (args[1] === '?') return { ...ready, results: [] };
    return this.answer('search', args, ANSWER);
  }

  async countRetrievals(...args: readonly unknown[]): Promise<void> {
    return this.answer('countRetrievals', args, undefined);
  }

  async searchProjects(...args: readonly unknown[]): Promise<ProjectsAnswer> {
    const { results, totalTokens } = ANSWER;
    const skipped = [{ projectPath: '/b', reason: 'It is gone.' }];
    const own = results.map((result) => ({ ...result, projectPath: '/a' }));
    return this.answer('searchProjects', args, { results: own, totalTokens, skipped });
  }

  async searchReflections(...args: readonly unknown[]): Promise<SearchAnswer> {
    return this.answer('searchReflections', args, ANSWER);
  }

  async findSimilarChunks(...args: readonly unknown[]): Promise<SearchAnswer> {
    return this.answer('findSimilarChunks', args, ANSWER);
  }

  async makeDigest(...args: readonly unknown[]): Promise<DigestReport> {
    return this.answer('makeDigest', args, DIGEST);
  }

  async pushDocument(...args: readonly unknown[]): Promise<PushedDocument> {
    return this.answer('pushDocument', args, PUSHED_DOCUMENT);
  }

  async savePage(...args: readonly unknown[]): Promise<SavedPageReport> {
    return this.answer('savePage', args, SAVED_PAGE);
  }

  async ingestReflections(...args: readonly unknown[]): Promise<number> {
    return this.answer('ingestReflections', args, 3);
  }

  async ingestAgentOutputs(...args: readonly unknown[]): Promise<number> {
    return this.answer('ingestAgentOutputs', args, 4);
  }

  async reindex(...args: readonly unknown[]): Promise<IngestionReport> {
    return this.answer('reindex', args, INGESTED);
  }

  async readAllSources(...args: readonly unknown[]): Promise<IngestionReport> {
    return this.answer('readAllSources', args, INGESTED);
  }

  async rebuildIndex(...args: readonly unknown[]): Promise<void> {
    return this.answer('rebuildIndex', args, undefined);
  }

  async getStats(...args: readonly unknown[]): Promise<KnowledgeStats> {
    return this.answer('getStats', args, STATS);
  }

  async getEmbeddingStatus(...args: readonly unknown[]): Promise<VectorStatus> {
    return this.answer('getEmbeddingStatus', args, { complete: 5, pending: 2 });
  }

  async getEmbeddingProgress(...args: readonly unknown[]): Promise<VectorStatus> {
    return this.answer('getEmbeddingProgress', args, { complete: 3, pending: 1 });
  }

  async getHypeStatus(...args: readonly unknown[]): Promise<VectorStatus> {
    return this.answer('getHypeStatus', args, { complete: 1, pending: 6 });
  }

  getModelStatus(): ModelStatus {
    return { name: 'some/model', state: 'ready' };
  }

  async compactCategory(...args: readonly unknown[]): Promise<CompactionReport> {
    return this.answer('compactCategory', args, { ...COMPACTION, compacted: true });
  }

  async draftCompaction(...args: readonly unknown[]): Promise<CompactionDraft> {
    return this.answer('draftCompaction', args, { ...COMPACTION, before: 'Old.', after: 'New.' });
  }

  async previewCompaction(...args: readonly unknown[]): Promise<CompactionReport> {
    return this.answer('previewCompaction', args, COMPACTION);
  }

  async restoreCategory(...args: readonly unknown[]): Promise<RestorationReport> {
    return this.answer('restoreCategory', args, RESTORATION);
  }

  async pruneStaleChunks(...args: readonly unknown[]): Promise<number> {
    return this.answer('pruneStaleChunks', args, PRUNED.length);
  }

  async pruneWithReport(...args: readonly unknown[]): Promise<readonly PrunedChunk[]> {
    return this.answer('pruneWithReport', args, PRUNED);
  }

  async previewPrune(...args: readonly unknown[]): Promise<readonly PrunedChunk[]> {
    return this.answer('previewPrune', args, PRUNED);
  }

  async lessonsFor(projectPath: string, feature: UpcomingFeature): Promise<FoundLessons> {
    const { results } = ANSWER;
    const section = '## Lessons from Similar Features';
    return this.answer('lessonsFor', [projectPath, feature], {
      section,
      source: 'search',
      results,
    });
  }

  async completeFeature(...args: readonly unknown[]): Promise<CompletionReport> {
    return this.answer('completeFeature', args, COMPLETION);
  }

  async addNote(projectPath: string, note: NewNote): Promise<SavedNote | KnownNote> {
    const answer = note.force === true ? NOTE : { duplicateOf: FULL_CHUNK.id };
    return this.answer('addNote', [projectPath, note], answer);
  }

  async replaceNote(...args: readonly unknown[]): Promise<SavedNote> {
    return this.answer('replaceNote', args, NOTE);
  }

  async deleteNote(...args: readonly unknown[]): Promise<number> {
    return this.answer('deleteNote', args, 2);
  }

  async listSources(...args: readonly unknown[]): Promise<SourceOverview> {
    return this.answer('listSources', args, SOURCES);
  }

  async staleChunks(...args: readonly unknown[]): Promise<readonly StaleChunk[]> {
    return this.answer('staleChunks', args, STALE);
  }

  async indexedSources(...args: readonly unknown[]): Promise<readonly SourceReport[]> {
    return this.answer('indexedSources', args, SOURCES.sources);
  }

  async readSource(...args: readonly unknown[]): Promise<SourceContent> {
    return this.answer('readSource', args, SOURCE_CONTENT);
  }

  async deleteSource(...args: readonly unknown[]): Promise<SourceDeletion> {
    return this.answer('deleteSource', args, { deleted: 2, returns: true });
  }

  async getChunk(...args: readonly unknown[]): Promise<ChunkDetails> {
    return this.answer('getChunk', args, CHUNK_DETAILS);
  }

  async readLines(...args: readonly unknown[]): Promise<SourceLines> {
    const text = 'The text\nof two lines.';
    return this.answer('readLines', args, {
      sourceFile: 'docs/a.md',
      from: 3,
      to: 4,
      lines: 9,
      text,
    });
  }

  /** Not written down: it belongs to calls that are. */
  async linesOf(_: string, ids: readonly string[]): Promise<readonly number[]> {
    return ids.map((_, index) => 3 + index);
  }

  /** Writes down a call and answers it. */
  async answer<T>(method: string, args: readonly unknown[], answer: T): Promise<T> {
    this.calls.push({ method, args });
    await this.#before();
    return answer;
  }
}

/** Everything that the routes of the hybrid variant call, answered by one store. */
export function hybridServices(store: FakeKnowledgeStore) {
  const services = { store, features: store, notes: store, documents: store, sources: store };
  return {
    ...services,
    pages: store,
    digests: store,
    citations: store,
    overview: new FakeOverview(store),
    across: store,
    recovery: new FakeRecovery(store),
  };
}
