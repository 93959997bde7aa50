import type { CitationService } from '../../src/ports/driving/citation-service.js';
import type { DigestService } from '../../src/ports/driving/digest-service.js';
import type { DocumentsService } from '../../src/ports/driving/documents-service.js';
import type { FeatureLifecycle } from '../../src/ports/driving/feature-lifecycle.js';
import type { KnowledgeStore } from '../../src/ports/driving/knowledge-store.js';
import type { NewNote, NotesService } from '../../src/ports/driving/notes-service.js';
import type { OverviewService } from '../../src/ports/driving/overview-service.js';
import type { PageService } from '../../src/ports/driving/page-service.js';
import type { ProjectsSearch } from '../../src/ports/driving/projects-search.js';
import type { RecoveryService } from '../../src/ports/driving/recovery-service.js';
import type { SourcesService } from '../../src/ports/driving/sources-service.js';
import * as answers from './fake-knowledge-answers.js';

type Services = KnowledgeStore &
  FeatureLifecycle &
  NotesService &
  SourcesService &
  ProjectsSearch &
  PageService &
  DocumentsService &
  DigestService &
  CitationService &
  OverviewService &
  RecoveryService;

/**
 * A store, and the lifecycle of its features, that give the same answer to everybody and write down who asked.
 */
export type FakeKnowledgeStore = CallRecorder & Services;

export function fakeKnowledgeStore(): FakeKnowledgeStore {
  const recorder = new CallRecorder();
  const methods = Object.entries(ANSWERS).map(([method, answer]) => [
    method,
    (...args: readonly unknown[]) => recorder.answer(method, args, answer),
  ]);
  return Object.assign(recorder, Object.fromEntries(methods), {
    // A query without words only asks whether the project is ready; it is not written down.
    search: async (...args: readonly unknown[]) => {
      if (args[1] === '?') return { ...answers.ANSWER, results: [] };
      return recorder.answer('search', args, answers.ANSWER);
    },
    addNote: (projectPath: string, note: NewNote) => {
      const answer = note.force === true ? answers.NOTE : { duplicateOf: answers.FULL_CHUNK.id };
      return recorder.answer('addNote', [projectPath, note], answer);
    },
    // Not written down: they belong to calls that are.
    linesOf: async (_: string, ids: readonly string[]) => ids.map((_, index) => 3 + index),
    getModelStatus: () => ({ name: 'some/model', state: 'ready' }),
  });
}

class CallRecorder {
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

  /** Writes down a call and answers it. */
  async answer<T>(method: string, args: readonly unknown[], answer: T): Promise<T> {
    this.calls.push({ method, args });
    await this.#before();
    return answer;
  }
}

type Answers = { readonly [Method in keyof Services]?: Awaited<ReturnType<Services[Method]>> };

const { results } = answers.ANSWER;

/** The methods that tests call, and what they answer, whatever they are asked. */
const ANSWERS: Answers = {
  findSimilarChunks: answers.ANSWER,
  makeDigest: answers.DIGEST,
  pushDocument: answers.PUSHED_DOCUMENT,
  savePage: answers.SAVED_PAGE,
  readAllSources: answers.INGESTED,
  getStats: answers.STATS,
  getEmbeddingStatus: { complete: 5, pending: 2 },
  getHypeStatus: { complete: 1, pending: 6 },
  isFirstIndexing: true,
  isEmbedding: true,
  compactCategory: answers.COMPACTION,
  previewCompaction: answers.COMPACTION,
  pruneWithReport: [],
  previewPrune: [],
  lessonsFor: { section: '## Lessons from Similar Features', source: 'search', results },
  completeFeature: answers.COMPLETION,
  replaceNote: answers.NOTE,
  deleteNote: 2,
  staleChunks: [],
  getChunk: answers.CHUNK_DETAILS,
  readLines: {
    sourceFile: 'docs/a.md',
    from: 3,
    to: 4,
    lines: 9,
    text: 'The text\nof two lines.',
  },
};

/** Everything that the routes of the hybrid variant call, answered by one store. */
export function hybridServices(store: FakeKnowledgeStore) {
  const services = { store, features: store, notes: store, documents: store, sources: store };
  const others = { pages: store, digests: store, citations: store, overview: store };
  return { ...services, ...others, across: store, recovery: store };
}
