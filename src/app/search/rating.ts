import { type Query, readPlain, readQuery } from '../../domain/query/query.js';
import { rarity } from '../../domain/query/rarity.js';
import { coveredWords } from '../../domain/ranking/coverage.js';
import { type Rate, relevanceTo, withRelevance } from '../../domain/ranking/relevance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { Project } from '../project.js';
import type { RetrievalRequest, Retrieve, Retrieved, SearchParameters } from './retrieval.js';

/**
 * Adds the relevance of each chunk. With added words (`also`), it is at most the relevance for
 * the query alone.
 */
export async function rateRetrieved(
  project: Project,
  found: Retrieved,
  { retrieve, asked, request }: Rating,
): Promise<Retrieved> {
  if (found.mode === 'bm25' || found.isUnscaled || !isRelevanceWanted(asked, request)) return found;
  const rate = await rateFor(project, found.query);
  const all = rated(found, rate, request);
  const { also, ...alone } = request;
  if (also === undefined) return all;
  const own = await retrieve(project, { ...alone, query: readOwn(asked.query, found.query) });
  return capRelevance(all, own.mode === 'bm25' || own.isUnscaled ? own : rated(own, rate, request));
}

function isRelevanceWanted(
  asked: SearchParameters,
  { profile, minRelevance = 0 }: RetrievalRequest,
) {
  return profile === 'reading' || asked.relevance === 'wanted' || minRelevance > 0;
}

/** Only blended scores order chunks better than the relevance of each. */
function rated(retrieved: Retrieved, rate: Rate, { profile }: RetrievalRequest): Retrieved {
  const isFollowed = profile === 'reading' && retrieved.fusion === 'blend';
  const order = isFollowed ? 'followed' : 'ignored';
  return { ...retrieved, ranked: withRelevance(retrieved.ranked, { rate, order }) };
}

interface Rating {
  readonly asked: SearchParameters;
  readonly request: RetrievalRequest;
  readonly retrieve: Retrieve;
}

/** Parses a query without its added words, keeping its kind. */
function readOwn(text: string, { kind }: Query): Query {
  return kind === 'plain' ? readPlain(text) : readQuery(text);
}

/**
 * Scales relevance down to at most that of the query without its added words, because guessed words are no evidence.
 * @param alone the results of the question alone, rated with the added words
 */
function capRelevance(found: Retrieved, alone: Retrieved): Retrieved {
  const best = bestRelevance(found.ranked);
  const limit = bestRelevance(alone.ranked.slice(0, JUDGED_RESULTS));
  if (best === undefined || limit === undefined || limit >= best) return found;
  return {
    ...found,
    ranked: found.ranked.map((scored) =>
      scored.relevance === undefined
        ? scored
        : { ...scored, relevance: (scored.relevance * limit) / best },
    ),
  };
}

const JUDGED_RESULTS = 5;

function bestRelevance(ranked: readonly ScoredChunk[]): number | undefined {
  const known = ranked.flatMap(({ relevance }) => relevance ?? []);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Rates chunks by cosine and by the query words they contain; rare words count most. */
async function rateFor({ store }: Project, query: Query): Promise<Rate> {
  const words = coveredWords(query);
  if (words.length === 0) return relevanceTo(query);
  const { chunks, holding } = await store.keywords.countChunks(words);
  const weights = new Map(words.map((word, i) => [word, rarity(holding[i] ?? 0, chunks)]));
  return relevanceTo(query, (word) => weights.get(word) ?? 1);
}
