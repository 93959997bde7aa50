import {
  CHUNKS_BESIDE_NAMES,
  CHUNKS_BY_NAME,
  NAME_WEIGHT,
  SOURCES_BY_NAME,
} from '../../../domain/limits.js';
import {
  asBigrams,
  asWords,
  type Expression,
  sideReading,
} from '../../../domain/query/expression.js';
import type { KeywordQuery } from '../../../ports/keyword-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import { Parameters, type SchemaSession } from '../database/session.js';
import { type RankedRow, rankExactly } from './exact-ranking.js';
import { type TextQuery, toTextQuery, withWeighty } from './text-query.js';
import { SEARCHED, type Searched, type SearchedColumn } from './weighed-terms.js';

type RankedChunk = RankedRow<number>;

/** The best chunks for a query, by their texts and the names of their sources. Equal ones by importance, then age. */
export async function rankChunks(
  store: SchemaSession,
  query: KeywordQuery,
): Promise<readonly RankedChunk[]> {
  const byName = query.names === 'counted' ? await rankByName(store, query) : [];
  const limit = byName.length > 0 ? Math.max(query.limit, CHUNKS_BESIDE_NAMES) : query.limit;
  const rows = new Map<number, RankedChunk>();
  for (const reading of await listReadings(store, query)) {
    for (const row of await rankExactly<number>(store, { ...query, ...reading, limit })) {
      const relevance = Math.max(row.relevance, rows.get(row.key)?.relevance ?? 0);
      rows.set(row.key, { ...row, relevance });
    }
  }
  const byText = Array.from(rows.values()).toSorted(byRelevance).slice(0, limit);
  return addNames(byText, byName).toSorted(byRelevance).slice(0, query.limit);
}

function byRelevance(a: RankedChunk, b: RankedChunk): number {
  return b.relevance - a.relevance || b.importance - a.importance || a.key - b.key;
}

/** Adds the relevance of names to the chunks that were found by their texts. */
function addNames(
  byText: readonly RankedChunk[],
  byName: readonly RankedChunk[],
): readonly RankedChunk[] {
  const rows = new Map(byText.map((row) => [row.key, row]));
  for (const row of byName) {
    const relevance = row.relevance + (rows.get(row.key)?.relevance ?? 0);
    rows.set(row.key, { ...row, relevance });
  }
  return Array.from(rows.values());
}

/** The chunks of the sources whose names match best, with the relevance to add to theirs. */
async function rankByName(
  store: SchemaSession,
  { expression, filter }: KeywordQuery,
): Promise<readonly RankedChunk[]> {
  const query = toTextQuery(asBigrams(expression));
  if (query === undefined || !(await matchesAny(store, 'name', query))) return [];
  const ranking = { column: 'name', query, filter, limit: SOURCES_BY_NAME } as const;
  const sources = await rankExactly<string>(store, ranking);
  const parameters = new Parameters();
  const paths = parameters.add(sources.map(({ key }) => key));
  const relevances = parameters.add(sources.map(({ relevance }) => NAME_WEIGHT * relevance));
  return store.session.query<RankedChunk>(
    `SELECT c.no AS key, c.importance, best.relevance
     FROM unnest(${paths}::text[], ${relevances}::float8[]) AS best(source_file, relevance)
     JOIN ${store.schema}.chunks c USING (source_file)
     WHERE ${chunkCondition(filter, parameters)} LIMIT ${CHUNKS_BY_NAME}`,
    parameters.values,
  );
}

/**
 * The readings of an expression. A chunk that several of them find gets the best of their scores. Leaves out the side
 * words if no chunk matches them, which is usual.
 */
async function listReadings(
  store: SchemaSession,
  { expression, words: reach }: KeywordQuery,
): Promise<readonly Searched[]> {
  const words = toTextQuery(asWords(expression));
  const side = reach === 'stored' ? undefined : sideQuery(expression);
  const isSideFound = side !== undefined && (await matchesAny(store, 'bigram', side));
  return [
    ...(words === undefined ? [] : [{ column: 'word' as const, query: words }]),
    ...(isSideFound ? [{ column: 'bigram' as const, query: side }] : []),
  ];
}

function sideQuery(expression: Expression): TextQuery | undefined {
  const reading = sideReading(expression);
  const query = reading && toTextQuery(reading.expression);
  const extra = reading?.extra && toTextQuery(reading.extra);
  return query && extra ? withWeighty(query, extra) : query;
}

async function matchesAny(
  { session, schema }: SchemaSession,
  column: SearchedColumn,
  { match }: TextQuery,
): Promise<boolean> {
  const { table } = SEARCHED[column];
  const found = await session.query(
    `SELECT 1 FROM ${schema}.${table} WHERE ${column}_positions @@ $1::tsquery LIMIT 1`,
    [match],
  );
  return found.length > 0;
}
