import type { Service } from '../../src/app/service/service.js';
import type { AddNoteRequest } from '../../src/schemas/notes.js';
import * as answers from './fake-answers.js';

/** Use cases that give the same answer to everybody and write down who asked. */
export type FakeService = CallRecorder & Service;

export function fakeService(): FakeService {
  const recorder = new CallRecorder();
  const useCases = Object.entries(ANSWERS).map(([useCase, methods]) => {
    const recorded = Object.entries(methods).map(([method, answer]) => [
      method,
      (...args: readonly unknown[]) => recorder.answer(`${useCase}.${method}`, args, answer),
    ]);
    return [useCase, Object.fromEntries(recorded)] as const;
  });
  const service: FakeService = Object.assign(recorder, Object.fromEntries(useCases) as never);
  Object.assign(service.notes, {
    add: (note: AddNoteRequest) => {
      const answer = note.force === true ? answers.NOTE : { duplicateOf: answers.FULL_CHUNK.id };
      return recorder.answer('notes.add', [note], answer);
    },
  });
  // Not written down: they belong to calls that are.
  Object.assign(service.sources, {
    located: async (_: string, results: readonly object[]) =>
      results.map((result, index) => ({ ...result, line: 3 + index })),
  });
  Object.assign(service.status, { model: () => answers.STATUS.model });
  Object.assign(service.indexing, { begin: async () => undefined });
  return service;
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

type Answers = {
  readonly [Name in keyof Service]?: {
    readonly [Method in keyof Service[Name]]?: Service[Name][Method] extends (
      ...args: never[]
    ) => infer Answer
      ? Awaited<Answer>
      : never;
  };
};

const { results } = answers.ANSWER;

const SKIPPED = [{ sourceFile: 'docs/build/', reason: 'it is a build folder' }];

/** The methods that tests call, and what they answer, whatever they are asked. */
const ANSWERS: Answers = {
  search: {
    search: answers.ANSWER,
    answer: answers.ANSWER,
    read: answers.READ_ANSWER,
    similar: answers.ANSWER,
  },
  digests: {
    make: {
      sourceFile: '.knowledge/digests/category-api.md',
      chunks: 2,
      sources: ['.knowledge/memory/api.md'],
      isNew: false,
    },
  },
  documents: {
    push: {
      sourceFile: 'docs/guide.md',
      chunks: 2,
      isNew: true,
    },
  },
  pages: {
    save: {
      sourceFile: '.knowledge/urls/example-org.md',
      title: 'Example',
      chunks: 2,
      isNew: true,
      changed: true,
    },
  },
  indexing: {
    ingest: {
      indexed: 7,
      skipped: [{ sourceFile: 'docs/big.md', reason: 'it is larger than 10 MB' }],
      removed: 1,
    },
  },
  status: {
    stats: answers.STATS,
    status: answers.STATUS,
    overview: {
      stats: { totalChunks: 2, uniqueSources: 1, lastUpdated: '2026-01-02T00:00:00.000Z' },
      ...answers.STATUS,
      stale: 0,
    },
  },
  compaction: {
    compact: {
      compacted: false,
      reason: 'The file is short enough.',
      tokensBefore: 13.5,
      tokensAfter: 13.5,
    },
  },
  pruning: { prune: { deleted: 0, chunks: [] } },
  lessons: { find: { section: '## Lessons from Similar Features', source: 'search', results } },
  completion: {
    complete: {
      lessons: 3,
      added: 2,
      duplicates: 1,
      categories: ['gotchas'],
      compacted: [],
    },
  },
  notes: { replace: answers.NOTE, change: answers.NOTE, delete: 2 },
  noteReading: { get: answers.FULL_NOTE },
  stale: { list: [] },
  sources: {
    list: { sources: [], skipped: SKIPPED },
    skipped: SKIPPED,
    chunk: answers.CHUNK_DETAILS,
    lines: {
      sourceFile: 'docs/a.md',
      from: 3,
      to: 4,
      lines: 9,
      text: 'The text\nof two lines.',
    },
  },
};
