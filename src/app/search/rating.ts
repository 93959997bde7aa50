import { rarity } from '../../domain/query/passages.js';
import { type Query, readPlain, readQuery } from '../../domain/query/query.js';
import {
  type CoveredText,
  coverageFor,
  coveredWords,
  type WordWeight,
} from '../../domain/ranking/coverage.js';
import { type Rate, relevanceTo, withRelevance } from '../../domain/ranking/relevance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { Project } from '../project.js';
import type { RetrievalRequest, Retrieve, Retrieved, SearchParameters } from './retrieval.js';

/**
 * Adds the relevance of each chunk. With added words (`also`), relevance also depends on what the query finds without
 * them.
 */
export async function rateRetrieved(
  project: Project,
  found: Retrieved,
  { retrieve, asked, request }: Rating,
): Promise<Retrieved> {
  if (found.mode === 'bm25' || found.isUnscaled || !isRelevanceWanted(asked, request)) return found;
  const weightOf = await weighWords(project, found.query);
  const all = rateResults(found, relevanceTo(found.query, weightOf), request);
  const { also, ...alone } = request;
  if (also === undefined) return all;
  const own = await retrieve(project, { ...alone, query: readOwn(asked.query, found.query) });
  return withDoubt(all, own.ranked, coverageFor(found.query, weightOf));
}

function isRelevanceWanted(
  asked: SearchParameters,
  { profile, minRelevance = 0 }: RetrievalRequest,
) {
  return profile === 'reading' || asked.relevance === 'wanted' || minRelevance > 0;
}

/**
 * Rates each chunk. The order of the list counts only with blended scores, which order chunks better than relevance
 * does.
 */
function rateResults(retrieved: Retrieved, rate: Rate, { profile }: RetrievalRequest): Retrieved {
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
 * Scales the relevance by the root of a coverage: of the first results that the query finds alone, the one that covers
 * the words of both texts best counts. Guessed words are evidence only where chunks that the query finds contain them
 * (docs/quality.md, "Relevance").
 */
function withDoubt(
  found: Retrieved,
  alone: readonly ScoredChunk[],
  coverage: (text: CoveredText) => number,
): Retrieved {
  const judged = alone.slice(0, JUDGED_RESULTS).map(({ chunk }) => coverage(chunk));
  if (judged.length === 0) return found;
  const factor = Math.sqrt(Math.max(...judged));
  return {
    ...found,
    ranked: found.ranked.map(({ relevance, ...scored }) =>
      relevance === undefined ? scored : { ...scored, relevance: relevance * factor },
    ),
  };
}

const JUDGED_RESULTS = 5;

/** The weight of each word of a query: rare words count most. */
async function weighWords({ store }: Project, query: Query): Promise<WordWeight> {
  const words = coveredWords(query);
  if (words.length === 0) return () => 1;
  const { chunks, holding } = await store.keywords.countChunks(words);
  const weights = new Map(words.map((word, i) => [word, rarity(holding[i] ?? 0, chunks)]));
  return (word) => weights.get(word) ?? 1;
}
