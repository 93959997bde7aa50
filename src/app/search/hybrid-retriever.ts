import { headOf } from '../../domain/chunks/text.js';
import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import { QUERY_MAX_CHARACTERS, VECTOR_CANDIDATES } from '../../domain/limits.js';
import { wantedTermsOf } from '../../domain/query/expression.js';
import type { Query } from '../../domain/query/query.js';
import { distinctTexts } from '../../domain/ranking/distinct-texts.js';
import { comparedCosine } from '../../domain/ranking/hype.js';
import { weighByImportance } from '../../domain/ranking/importance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { HypeComparison } from '../../domain/settings.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Project } from '../projects/project.js';
import { fuseCandidates } from './candidate-fusion.js';
import { QueryVectors } from './query-vectors.js';
import type { RetrievalRequest, Retrieved, Retriever } from './retriever.js';

export interface HybridRetrieverPorts {
  readonly keyword: Retriever;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Ranks keyword candidates by keywords and vectors (docs/specification.md, "Retrieval"). If there is no
 * vector to rank by, for any reason, it returns the keyword list unchanged.
 */
export class HybridRetriever implements Retriever {
  readonly #ports: HybridRetrieverPorts;
  readonly #queryVectors: QueryVectors;

  constructor(ports: HybridRetrieverPorts) {
    this.#ports = ports;
    this.#queryVectors = new QueryVectors(ports.embedder);
  }

  async retrieve(project: Project, request: RetrievalRequest): Promise<Retrieved> {
    const keyword = await this.#ports.keyword.retrieve(project, request);
    const embedded = await this.#queryVector({ ...request, query: keyword.query });
    if ('reason' in embedded) return { ...keyword, modeReason: embedded.reason };
    const { vector } = embedded;
    const chunks = await this.#candidates(project, request, { keyword, vector });
    if (chunks.length === 0) return { ...keyword, modeReason: 'There were no candidates to rank.' };
    const cosines = await cosinesOf(project, vector, {
      ids: chunks.map(({ chunk }) => chunk.id),
      comparison: request.settings.hypeComparison,
    });
    if (cosines.size === 0) return { ...keyword, modeReason: await whyNoCosine(project) };
    const candidates = chunks.map((scored) => withCosine(scored, cosines.get(scored.chunk.id)));
    const merged = await fuseCandidates(request.fusion, project, {
      query: keyword.query,
      vector,
      candidates,
    });
    return {
      query: keyword.query,
      ranked: weighByImportance(merged, request.settings.importanceWeight),
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

  /** Waits for the query's vector for up to `queryVectorTimeoutMs`, but never for the model to load. */
  async #queryVector({ query, text, settings }: RetrievalRequest): Promise<QueryVector> {
    const { embedder, clock, logger } = this.#ports;
    if (!settings.hybridRetrieval) return { reason: 'The setting hybridRetrieval is false.' };
    if (!embedder.isReady()) {
      embedder.load();
      return { reason: `The embedding model is not ready (${embedder.state()}).` };
    }
    const waiting = new AbortController();
    const tooLate = clock
      .sleep(settings.queryVectorTimeoutMs, waiting.signal)
      .then(() => ({ reason: noVectorWithin(settings.queryVectorTimeoutMs) }));
    try {
      const textToEmbed = headOf(embeddedTextOf(query, text), QUERY_MAX_CHARACTERS);
      const embedding = this.#queryVectors.of(textToEmbed, waiting.signal);
      return await Promise.race([embedding.then((vector) => ({ vector })), tooLate]);
    } catch (error) {
      if (isOverloaded(error)) {
        return { reason: 'Too many queries are waiting for the embedding model.' };
      }
      logger.warn('A query could not be embedded.', { reason: reasonOf(error) });
      return { reason: 'The embedding model failed.' };
    } finally {
      // After a timeout, the abandoned call must not delay other queries.
      waiting.abort();
    }
  }

  /** The keyword list; for a plain query, with the nearest vectors of the project if the request asks for them. */
  async #candidates(
    project: Project,
    { candidates, filter, texts }: RetrievalRequest,
    { keyword, vector }: { readonly keyword: Retrieved; readonly vector: Vector },
  ): Promise<readonly ScoredChunk[]> {
    const { query, ranked } = keyword;
    if (candidates === 'keyword' || query.kind === 'structured') return ranked;
    const nearest = await project.store.vectors.nearest(vector, filter, VECTOR_CANDIDATES);
    const known = new Set(ranked.map(({ chunk }) => chunk.id));
    const added = nearest.map(({ chunkId }) => chunkId).filter((id) => !known.has(id));
    const chunks = await project.store.chunks.getChunks(added);
    const all = [...ranked, ...chunks.map((chunk) => ({ chunk, score: 0 }))];
    return texts === 'distinct' ? distinctTexts(all) : all;
  }
}

/** The vector of a query, or a sentence that says why there is none. */
type QueryVector = { readonly vector: Vector } | { readonly reason: string };

function noVectorWithin(timeoutMs: number): string {
  return `The query was not embedded within ${timeoutMs} ms.`;
}

function isOverloaded(error: unknown): boolean {
  return error instanceof KnowledgeError && error.code === 'overloaded';
}

/** The text to embed: of a structured query, the terms without operators, which mean nothing to the model. */
function embeddedTextOf(query: Query, text: string): string {
  if (query.kind === 'plain') return text;
  return wantedTermsOf(query.expression)
    .map((term) => term.text)
    .join(' ');
}

/** The cosine that each chunk is ranked by; chunks without a vector are left out. */
async function cosinesOf(
  project: Project,
  query: Vector,
  { ids, comparison }: { readonly ids: readonly string[]; readonly comparison: HypeComparison },
): Promise<ReadonlyMap<string, number>> {
  const { vectors, questionVectors } = project.store;
  const content = await vectors.similarities(query, ids);
  const questions =
    comparison === 'off' ? NO_COSINES : await questionVectors.similarities(query, ids);
  return new Map(
    ids.flatMap((id) => {
      const cosines = { content: content.get(id), questions: questions.get(id) };
      const cosine = comparedCosine(cosines, comparison);
      return cosine === undefined ? [] : [[id, cosine]];
    }),
  );
}

async function whyNoCosine({ store }: Project): Promise<string> {
  return (await store.vectors.comparisonProblem()) ?? 'No candidate has a vector yet.';
}

const NO_COSINES: ReadonlyMap<string, number> = new Map();

function withCosine(scored: ScoredChunk, cosine?: number): ScoredChunk {
  return cosine === undefined ? scored : { ...scored, cosine };
}
