import { reasonOf } from '../../domain/errors.js';
import { VECTOR_CANDIDATES } from '../../domain/limits.js';
import { type Query, termsOf } from '../../domain/query.js';
import {
  type Candidate,
  fuseByRank,
  fuseByScore,
  type RankedCandidate,
} from '../../domain/ranking.js';
import type { Fusion } from '../../domain/settings.js';
import type { Vector } from '../../domain/vector.js';
import type { Clock } from '../../ports/clock.js';
import type { Embedder } from '../../ports/embedder.js';
import type { Logger } from '../../ports/logger.js';
import type { Project } from '../project.js';
import type { RankedChunk, RetrievalRequest, Retrieved, Retriever } from './retriever.js';

export interface HybridRetrieverPorts {
  readonly keyword: Retriever;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Ranks the keyword candidates again by meaning (specification, "Retrieval pipeline"). Where there is
 * no vector to rank by, for whatever reason, the keyword list is handed back untouched.
 */
export class HybridRetriever implements Retriever {
  readonly #ports: HybridRetrieverPorts;

  constructor(ports: HybridRetrieverPorts) {
    this.#ports = ports;
  }

  async retrieve(project: Project, request: RetrievalRequest): Promise<Retrieved> {
    const keyword = await this.#ports.keyword.retrieve(project, request);
    const query = await this.#queryVector(request);
    if (typeof query === 'string') return { ...keyword, modeReason: query };
    const chunks = await this.#candidates(project, request, { ranked: keyword.ranked, query });
    const cosines = await cosinesOf(project, query, chunks);
    if (cosines.size === 0) return { ...keyword, modeReason: 'No candidate has a vector yet.' };
    return {
      ranked: fuse(request.fusion, chunks, cosines),
      mode: 'hybrid',
      modeReason: 'Candidates were ranked by keywords and by vectors.',
      fusion: request.fusion,
      counts: {
        ...keyword.counts,
        withVector: cosines.size,
        ...(request.candidates === 'union' && {
          vectorOnly: chunks.length - keyword.ranked.length,
        }),
      },
    };
  }

  /** The vector of the query, or why there is none. A search never waits for a model to load. */
  async #queryVector({ query, text, settings }: RetrievalRequest): Promise<Vector | string> {
    const { embedder, clock, logger } = this.#ports;
    if (!settings.hybridRetrieval) return 'The setting hybridRetrieval is false.';
    if (!embedder.isReady()) {
      embedder.load();
      return `The embedding model is not ready (${embedder.state()}).`;
    }
    const timer = new AbortController();
    const tooLate = clock
      .sleep(settings.queryVectorTimeoutMs, timer.signal)
      .then(() => `The query had no vector within ${settings.queryVectorTimeoutMs} ms.`);
    try {
      return await Promise.race([embedder.embed(meaningOf(query, text)), tooLate]);
    } catch (error) {
      logger.warn('A query could not be embedded.', { reason: reasonOf(error) });
      return 'The embedding model failed.';
    } finally {
      timer.abort();
    }
  }

  async #candidates(
    project: Project,
    { candidates, filter }: RetrievalRequest,
    { ranked, query }: { readonly ranked: readonly RankedChunk[]; readonly query: Vector },
  ): Promise<readonly RankedChunk[]> {
    if (candidates === 'keyword') return ranked;
    const nearest = await project.store.vectors.nearest(query, filter, VECTOR_CANDIDATES);
    const known = new Set(ranked.map(({ chunk }) => chunk.id));
    const added = nearest.map(({ chunkId }) => chunkId).filter((id) => !known.has(id));
    const chunks = await project.store.chunks.getChunks(added);
    return [...ranked, ...chunks.map((chunk) => ({ chunk, score: 0 }))];
  }
}

/** The operators of a structured query mean nothing to the model. */
function meaningOf(query: Query, text: string): string {
  if (query.kind === 'plain') return text;
  return termsOf(query.expression)
    .map((term) => term.text)
    .join(' ');
}

async function cosinesOf(
  project: Project,
  query: Vector,
  ranked: readonly RankedChunk[],
): Promise<ReadonlyMap<string, number>> {
  const ids = ranked.map(({ chunk }) => chunk.id);
  return project.store.vectors.similarities(query, ids);
}

const FUSE: Record<Fusion, (candidates: readonly Candidate[]) => readonly RankedCandidate[]> = {
  rrf: fuseByRank,
  blend: fuseByScore,
};

function fuse(
  fusion: Fusion,
  ranked: readonly RankedChunk[],
  cosines: ReadonlyMap<string, number>,
): readonly RankedChunk[] {
  const chunks = new Map(ranked.map((item) => [item.chunk.id, item.chunk]));
  const candidates = ranked.map(({ chunk, keywordRank, keywordScore }) => {
    const cosine = cosines.get(chunk.id);
    return {
      id: chunk.id,
      ...(keywordRank !== undefined && { keywordRank }),
      ...(keywordScore !== undefined && { keywordScore }),
      ...(cosine !== undefined && { cosine }),
    };
  });
  return FUSE[fusion](candidates).flatMap(({ id, ...ranks }) => {
    const chunk = chunks.get(id);
    return chunk === undefined ? [] : [{ chunk, ...ranks }];
  });
}
