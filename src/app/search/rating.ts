import { type Query, readPlain, readQuery } from '../../domain/query/query.js';
import {
  coveredWords,
  type Rate,
  rarity,
  relevanceTo,
  withRelevance,
} from '../../domain/ranking/relevance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { Project } from '../projects/project.js';
import type { AskedSearch, RetrievalRequest, Retrieve, Retrieved } from './retrieval.js';

/** Adds their relevance to the chunks that were found. In other words, too, an answer sounds no surer than what the question alone finds. */
export async function ratedFindings(
  project: Project,
  found: Retrieved,
  { retrieve, ...rating }: Rating & { readonly retrieve: Retrieve },
): Promise<Retrieved> {
  const all = await rated(project, found, rating);
  const { also, ...alone } = rating.request;
  if (also === undefined || found.mode === 'bm25') return all;
  const query = readOwn(rating.asked.query, found.query);
  const own = await retrieve(project, { ...alone, query });
  return asSureAs(all, await rated(project, { ...own, query: found.query }, rating));
}

/** Only the order of blended scores says more than the relevance of one chunk. */
async function rated(
  project: Project,
  retrieved: Retrieved,
  { asked, request }: Rating,
): Promise<Retrieved> {
  const { ranked, query, mode, fusion } = retrieved;
  const { profile, minRelevance = 0 } = request;
  const isWanted = profile === 'reading' || asked.relevance === 'wanted' || minRelevance > 0;
  if (mode === 'bm25' || !isWanted || retrieved.isUnscaled) return retrieved;
  const isFollowed = profile === 'reading' && fusion === 'blend';
  const rate = await rateFor(project, query);
  const order = isFollowed ? 'followed' : 'ignored';
  return { ...retrieved, ranked: withRelevance(ranked, { rate, order }) };
}

interface Rating {
  readonly asked: AskedSearch;
  readonly request: RetrievalRequest;
}

/** The text of a query without further words, read as it was read with them. */
function readOwn(text: string, { kind }: Query): Query {
  return kind === 'plain' ? readPlain(text) : readQuery(text);
}

/**
 * The relevance of what a question found in other words, too, is at most that of what it finds alone: words that somebody guessed do
 * not make an answer surer.
 * @param alone what the question found alone, rated with the help of the other words
 */
function asSureAs(found: Retrieved, alone: Retrieved): Retrieved {
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

/** Rates chunks by their cosines and by what they contain of a query, whose rare words count most. */
async function rateFor({ store }: Project, query: Query): Promise<Rate> {
  const words = coveredWords(query);
  if (words.length === 0) return relevanceTo(query);
  const { chunks, holding } = await store.keywords.countChunks(words);
  const weights = new Map(words.map((word, i) => [word, rarity(holding[i] ?? 0, chunks)]));
  return relevanceTo(query, (word) => weights.get(word) ?? 1);
}
