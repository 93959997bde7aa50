import {
  informativeWords,
  type PlainQuery,
  type Query,
  readPlain,
} from '../../domain/query/query.js';
import { otherSpellings, twoWords } from '../../domain/query/spellings.js';
import { type Correction, neighbouringWords, typoCandidates } from '../../domain/query/typos.js';
import type { Project } from '../project.js';
import type { RetrievalRequest } from './retrieval.js';

/**
 * Corrects mistyped identifiers: replaces each part that occurs nowhere with an indexed word that differs in one
 * letter.
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
  const replaced = correctWords(query.words, corrections);
  return { corrections, request: { ...request, query: { ...readPlain(''), words: replaced } } };
}

/** Each corrected word costs hundreds of look-ups. */
const CORRECTED_WORDS_MAX = 2;

interface Corrected {
  readonly request: RetrievalRequest;
  readonly corrections: readonly Correction[];
}

function correctWords(
  words: readonly string[],
  corrections: readonly Correction[],
): readonly string[] {
  const found = new Map(corrections.map(({ typed, found }) => [typed, found]));
  return words.map((word) => found.get(word) ?? word);
}

/**
 * Adds other spellings of the query's words that are about as common in the store. A much rarer spelling would get a
 * higher score than the word itself, so it does not count in the ranking and only adds chunks.
 */
export async function withSpellings(project: Project, query: Query): Promise<Spelled> {
  if (query.kind === 'plain') return addSpellings(project, query);
  if (query.plainFallback === undefined) return { query, rare: [] };
  const { query: plainFallback } = await addSpellings(project, query.plainFallback);
  return { query: { ...query, plainFallback }, rare: [] };
}

interface Spelled<T extends Query = Query> {
  readonly query: T;
  /** Spellings that are rare in the store. */
  readonly rare: readonly string[];
}

async function addSpellings(project: Project, query: PlainQuery): Promise<Spelled<PlainQuery>> {
  const { store } = project;
  const words = informativeWords(query.words);
  const asTwo = await unknownAsTwo(project, words);
  const pairs = words.flatMap((word) =>
    [...otherSpellings(word), ...asTwo(word)].map((spelling) => ({ word, spelling })),
  );
  if (pairs.length === 0) return { query, rare: [] };
  const { holding } = await store.keywords.countChunks(
    pairs.flatMap(({ word, spelling }) => [word, spelling]),
  );
  const isCommon = (i: number) => (holding[2 * i + 1] ?? 0) >= COMMON_SHARE * (holding[2 * i] ?? 0);
  const spellings = pairs.map(({ spelling }) => spelling);
  return {
    query: { ...query, spellings: spellings.filter((_, i) => isCommon(i)) },
    rare: spellings.filter((_, i) => !isCommon(i) && (holding[2 * i + 1] ?? 0) > 0),
  };
}

/**
 * For a query of a few plain words that finds nothing, adds mixed-case words that have the words as parts:
 * `resolveProjectRoot` for `project root`. Undefined if there are none.
 */
export async function withMixedCaseWords(
  { store }: Project,
  query: Query,
): Promise<PlainQuery | undefined> {
  if (query.kind !== 'plain') return undefined;
  const words = informativeWords(query.words)
    .map((word) => word.toLowerCase())
    .filter((word) => /^[a-z]{3,}$/.test(word));
  if (words.length === 0 || words.length > PARTS_MAX) return undefined;
  const pairs = words.slice(1).map((word, i) => `${words[i]}${word}`);
  const found: string[] = [];
  for (const letters of new Set([words.join(''), ...pairs, ...words])) {
    if (found.length === 0) found.push(...(await store.keywords.mixedCaseWords(letters)));
  }
  return found.length === 0 ? undefined : { ...query, spellings: found };
}

const PARTS_MAX = 4;

/**
 * Returns a function that writes a word as two. It does so only for words missing from the store, because others rarely
 * need it, and each costs about twenty look-ups.
 */
async function unknownAsTwo({ store }: Project, words: readonly string[]) {
  const long = words.filter((word) => twoWords(word).length > 0);
  if (long.length === 0) return () => [];
  const { holding } = await store.keywords.countChunks(long);
  const unknown = new Set(long.filter((_, i) => holding[i] === 0).slice(0, UNKNOWN_WORDS_MAX));
  return (word: string) => (unknown.has(word) ? twoWords(word) : []);
}

const UNKNOWN_WORDS_MAX = 4;

/** A spelling is common if it is in at least this share of the number of chunks that contain the written word. */
const COMMON_SHARE = 0.5;
