import { containsUnspaced } from '../../../domain/bigrams.js';
import {
  COUNTED_CHUNKS_MAX,
  MIXED_CASE_CHUNKS_MAX,
  NAME_WEIGHT,
  SCANNED_CHUNKS_MAX,
} from '../../../domain/limits.js';
import {
  asBigrams,
  asWords,
  type Expression,
  sideReading,
} from '../../../domain/query/expression.js';
import { mixedCaseWordsWith } from '../../../domain/query/mixed-case.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type {
  ChunkCounts,
  ChunkFilter,
  KeywordIndex,
  KeywordQuery,
} from '../../../ports/keyword-index.js';
import { CHUNK_COLUMNS, type ChunkRow, chunkCondition, toChunk } from '../chunks/chunk-rows.js';
import type { ProjectContext } from '../database/postgres-database.js';
import { Parameters, type Session } from '../database/session.js';
import { exactRanking, type SearchedColumn } from './exact-ranking.js';
import { type TextQuery, toTextQuery, withWeighty } from './text-query.js';

/** Finds words with GIN indexes, and ranks the matches by BM25 in plain SQL. */
export class PostgresKeywordIndex implements KeywordIndex {
  readonly #project: ProjectContext;

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  async search({ names, ...query }: KeywordQuery): Promise<readonly ScoredChunk[]> {
    const { database, schema, projectPath } = this.#project;
    const wanted = listReadings(query);
    if (wanted.length === 0) return [];
    const rows = await database.read(async (session) => {
      const readings = await this.#promising(session, wanted);
      const asked = names === 'counted' ? asBigrams(query.expression) : undefined;
      const matching = await matchingNames(session, schema, asked);
      const parameters = new Parameters();
      const lists = readings.map((reading) =>
        exactRanking({ ...query, ...reading, schema }, parameters),
      );
      const list = `SELECT no, importance, max(relevance) AS relevance
        FROM ((${lists.join(') UNION ALL (')})) lists
        WHERE relevance > 0 GROUP BY no, importance`;
      const byName = matching && byNames({ ...query, schema, query: matching }, parameters);
      return session.query<ChunkRow & Ranked>(
        `SELECT ${CHUNK_COLUMNS}, best.relevance FROM (
           SELECT no, relevance FROM (${withNames(list, byName)}) list
           ORDER BY relevance DESC, importance DESC, no LIMIT ${parameters.add(query.limit)}
         ) best JOIN ${schema}.chunks c ON c.no = best.no
         ORDER BY best.relevance DESC, c.importance DESC, c.no`,
        parameters.values,
      );
    });
    return rows.map((row) => ({
      chunk: toChunk(row, projectPath),
      score: row.relevance,
      bm25: row.relevance,
    }));
  }

  async countChunks(words: readonly string[]): Promise<ChunkCounts> {
    const { database, schema } = this.#project;
    return database.read(async (session) => {
      const count = async (from: string, ...values: readonly string[]) => {
        const [row] = await session.query<{ readonly count: number }>(
          `SELECT count(*)::float8 AS count FROM (SELECT 1 FROM ${from}) counted`,
          values,
        );
        return row?.count ?? 0;
      };
      const holding: number[] = [];
      for (const word of words) {
        const { column, match } = buildLookup(word);
        const from = `${schema}.chunks WHERE ${column}_positions @@ $1::tsquery LIMIT ${COUNTED_CHUNKS_MAX}`;
        holding.push(match === undefined ? 0 : await count(from, match));
      }
      return { chunks: await count(`${schema}.chunks`), holding };
    });
  }

  async mixedCaseWords(letters: string): Promise<readonly string[]> {
    const { database, schema } = this.#project;
    const rows = await database.rows<{ readonly content: string }>(
      `SELECT content FROM ${schema}.chunks WHERE content ILIKE '%' || $1::text || '%'
       AND (SELECT count(*) FROM ${schema}.chunks) <= ${SCANNED_CHUNKS_MAX} LIMIT ${MIXED_CASE_CHUNKS_MAX}`,
      [letters],
    );
    return rows.flatMap(({ content }) => mixedCaseWordsWith(letters, content));
  }

  /** Drops the side words if no chunk matches them, which is usual, because ranking them takes a scan. */
  async #promising(session: Session, readings: readonly Reading[]): Promise<readonly Reading[]> {
    const side = readings.find(({ column }) => column === 'bigram');
    if (side === undefined || readings.length === 1) return readings;
    const found = await session.query(
      `SELECT 1 FROM ${this.#project.schema}.chunks WHERE bigram_positions @@ $1::tsquery LIMIT 1`,
      [side.query.match],
    );
    return found.length > 0 ? readings : readings.filter((reading) => reading !== side);
  }
}

function buildLookup(text: string) {
  const expression: Expression = { kind: 'terms', terms: [{ text, prefix: false }] };
  const isUnspaced = containsUnspaced(text);
  const query = toTextQuery(isUnspaced ? asBigrams(expression) : expression);
  return { column: isUnspaced ? 'bigram' : 'word', match: query?.match } as const;
}

interface Ranked {
  readonly relevance: number;
}

/** One reading of an expression. A chunk that several readings find gets the best of their scores. */
interface Reading {
  readonly column: SearchedColumn;
  readonly query: TextQuery;
}

function listReadings({ expression, words: reach }: KeywordQuery): readonly Reading[] {
  const words = toTextQuery(asWords(expression));
  const side = reach === 'stored' ? undefined : sideQuery(expression);
  return [
    ...(words === undefined ? [] : [{ column: 'word' as const, query: words }]),
    ...(side === undefined ? [] : [{ column: 'bigram' as const, query: side }]),
  ];
}

function sideQuery(expression: Expression): TextQuery | undefined {
  const reading = sideReading(expression);
  const query = reading && toTextQuery(reading.expression);
  const extra = reading?.extra && toTextQuery(reading.extra);
  return query && extra ? withWeighty(query, extra) : query;
}

/** The query for names of sources; undefined if no name matches, which is common. */
async function matchingNames(
  session: Session,
  schema: string,
  names: Expression | undefined,
): Promise<TextQuery | undefined> {
  const query = names && toTextQuery(names);
  if (query === undefined) return undefined;
  const found = await session.query(
    `SELECT 1 FROM ${schema}.names WHERE name_positions @@ $1::tsquery LIMIT 1`,
    [query.match],
  );
  return found.length > 0 ? query : undefined;
}

/** Limits of a search by names: sources, and chunks of all these sources together. */
const SOURCES_BY_NAME = 50;
const CHUNKS_BY_NAME = 500;

interface NameRanking {
  readonly schema: string;
  readonly query: TextQuery;
  readonly filter: ChunkFilter;
}

/** Returns a SELECT of the relevance that the names of sources add to their chunks. */
function byNames({ schema, query, filter }: NameRanking, parameters: Parameters): string {
  const sources = exactRanking({ schema, column: 'name', query, filter }, parameters);
  return `SELECT c.no, c.importance, ${NAME_WEIGHT} * best.relevance AS relevance
    FROM (SELECT * FROM (${sources}) named
      ORDER BY relevance DESC, source_file LIMIT ${SOURCES_BY_NAME}) best
    JOIN ${schema}.chunks c ON c.source_file = best.source_file
    WHERE ${chunkCondition(filter, parameters)} LIMIT ${CHUNKS_BY_NAME}`;
}

/** Adds the relevance of names to a list of chunks. */
function withNames(list: string, byName: string | undefined): string {
  if (byName === undefined) return list;
  return `SELECT no, importance, sum(relevance) AS relevance
    FROM ((${list}) UNION ALL (${byName})) parts GROUP BY no, importance`;
}
