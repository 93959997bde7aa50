import type { ChunkSurvey } from '../../src/domain/overview/chunk-survey.js';
import type {
  ChunkList,
  ChunkMap,
  OverviewService,
} from '../../src/ports/driving/overview-service.js';
import type { Answering } from './fake-recovery.js';

/** Gives the same answers to everybody, with every optional field; somebody else writes down who asked. */
export class FakeOverview implements OverviewService {
  readonly #calls: Answering;

  constructor(calls: Answering) {
    this.#calls = calls;
  }

  async surveyChunks(...args: readonly unknown[]): Promise<ChunkSurvey> {
    const counts = { chunks: 1, tokens: 4, retrievals: 2 };
    return this.#calls.answer('surveyChunks', args, {
      ...counts,
      neverRetrieved: 0,
      types: [{ sourceType: 'file', ...counts }],
      sizes: [{ upTo: 50, chunks: 1 }, { chunks: 0 }],
      lastRetrieved: [{ day: '2026-01-01', chunks: 1 }],
    });
  }

  async listChunks(...args: readonly unknown[]): Promise<ChunkList> {
    return this.#calls.answer('listChunks', args, { total: 1, chunks: [ENTRY] });
  }

  async mapChunks(...args: readonly unknown[]): Promise<ChunkMap> {
    const { id, sourceType, heading } = ENTRY;
    const points = [{ id, sourceType, heading, x: -0.5, y: 1 }];
    return this.#calls.answer('mapChunks', args, { total: 1, points });
  }
}

const ENTRY = {
  id: 'docs/a.md#0',
  sourceType: 'file',
  sourceFile: 'docs/a.md',
  heading: 'A heading',
  tokens: 4,
  importance: 0.5,
  updatedAt: '2026-01-01T00:00:00.000Z',
  retrievals: 2,
  lastRetrievedAt: '2026-01-01T00:00:00.000Z',
} as const;
