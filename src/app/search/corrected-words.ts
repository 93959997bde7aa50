import { readPlain } from '../../domain/query/query.js';
import { type Correction, neighbouringWords, typoCandidates } from '../../domain/query/typos.js';
import type { Project } from '../project.js';
import type { RetrievalRequest } from './retrieval.js';

/**
 * Corrects mistyped identifiers: replaces each of their words that occurs nowhere with an indexed word that differs in
 * one letter.
 */
export async function withCorrectedWords(
  { store }: Project,
  request: RetrievalRequest,
): Promise<Corrected> {
  const { query, exactWords } = request;
  const unchanged = { request, corrections: [] };
  if (query.kind !== 'plain') return unchanged;
  const words = typoCandidates(exactWords);
  if (words.length === 0) return unchanged;
  const { holding } = await store.keywords.countChunks(words);
  const missing = words.filter((_, i) => holding[i] === 0).slice(0, CORRECTED_WORDS_MAX);
  const corrections: Correction[] = [];
  for (const typed of missing) {
    const neighbours = neighbouringWords(typed);
    const counts = (await store.keywords.countChunks(neighbours)).holding;
    const most = Math.max(...counts);
    const found = neighbours[counts.indexOf(most)];
    if (most > 0 && found !== undefined) corrections.push({ typed, found });
  }
  if (corrections.length === 0) return unchanged;
  const replaced = corrected(query.words, corrections);
  return { corrections, request: { ...request, query: { ...readPlain(''), words: replaced } } };
}

/** Each corrected word costs hundreds of look-ups. */
const CORRECTED_WORDS_MAX = 2;

interface Corrected {
  readonly request: RetrievalRequest;
  readonly corrections: readonly Correction[];
}

function corrected(
  words: readonly string[],
  corrections: readonly Correction[],
): readonly string[] {
  const found = new Map(corrections.map(({ typed, found }) => [typed, found]));
  return words.map((word) => found.get(word) ?? word);
}
