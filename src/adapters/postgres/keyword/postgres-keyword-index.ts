import {
  asBigrams,
  asWords,
  type Expression,
  sideReading,
} from '../../../domain/query/expression.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { ChunkFilter, KeywordIndex } from '../../../ports/keyword-index.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk } from '../chunks/chunk-rows.js';
import type { ProjectContext } from '../database/project-context.js';
import { Parameters, type Session } from '../database/session.js';
import { exactRanking, type SearchedColumn } from './exact-ranking.js';
import { byNames, matchingNames, withNames } from './name-ranking.js';
import { type TextQuery, toTextQuery, withWeighty } from './text-query.js';

/** Finds words by GIN indexes, and ranks what matches by BM25 in plain SQL. */
export class PostgresKeywordIndex implements KeywordIndex {
  readonly #project: ProjectContext;

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  search(expression: Expression, filter: ChunkFilter, limit: number) {
    return this.#found({ expression, filter, limit });
  }

  searchNamed(expression: Expression, filter: ChunkFilter, limit: number) {
    return this.#found({ expression, filter, limit, names: asBigrams(expression) });
  }

  async #found(request: RankingRequest): Promise<readonly ScoredChunk[]> {
    const rows = await this.#ranked<ChunkRow & Ranked>(
      request,
      (list, end) =>
        `SELECT ${CHUNK_COLUMNS}, best.relevance FROM (
         SELECT no, relevance FROM (${list}) list ORDER BY relevance DESC, importance DESC, no LIMIT ${end}
       ) best JOIN ${this.#project.schema}.chunks c ON c.no = best.no
       ORDER BY best.relevance DESC, c.importance DESC, c.no`,
    );
    const { projectPath } = this.#project;
    return rows.map((row) => ({
      chunk: toChunk(row, projectPath),
      score: row.relevance,
      bm25: row.relevance,
    }));
  }

  async score(
    expression: Expression,
    chunkIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (chunkIds.length === 0) return new Map();
    const request = {
      ...{ expression, names: asBigrams(expression) },
      ...{ filter: EVERYTHING, limit: chunkIds.length, ids: chunkIds },
    };
    const rows = await this.#ranked<Ranked & { readonly id: string }>(
      request,
      (list, end) =>
        `SELECT c.id, list.relevance FROM (${list}) list
       JOIN ${this.#project.schema}.chunks c ON c.no = list.no LIMIT ${end}`,
    );
    return new Map(rows.map(({ id, relevance }) => [id, relevance]));
  }

  /** The rows of a statement around the list of ranked chunks. */
  async #ranked<Row extends object>(
    request: RankingRequest,
    around: (list: string, limit: string) => string,
  ): Promise<readonly Row[]> {
    const { database, schema } = this.#project;
    const wanted = readingsOf(request.expression);
    if (wanted.length === 0) return [];
    return database.read(async (session) => {
      const readings = await this.#promising(session, wanted);
      const names = await matchingNames(session, schema, request.names);
      const parameters = new Parameters();
      const lists = readings.map((reading) =>
        exactRanking({ ...request, ...reading, schema }, parameters),
      );
      const list = `SELECT no, importance, max(relevance) AS relevance
        FROM ((${lists.join(') UNION ALL (')})) lists
        WHERE relevance > 0 GROUP BY no, importance`;
      const byName = names && byNames({ ...request, schema, query: names }, parameters);
      const sql = around(withNames(list, byName), parameters.add(request.limit));
      return session.query<Row>(sql, parameters.values);
    });
  }

  /** Without the side words if no chunk matches there, as is nearly always so: to rank takes a scan. */
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

const EVERYTHING: ChunkFilter = { sourceTypes: 'all' };

interface Ranked {
  readonly relevance: number;
}

interface RankingRequest {
  readonly expression: Expression;
  readonly filter: ChunkFilter;
  readonly limit: number;
  /** Only these chunks; all if absent. */
  readonly ids?: readonly string[];
  /** What to look for among the names of sources; they do not count if it is absent. */
  readonly names?: Expression;
}

/** One way to read an expression; a chunk that several find has the best of their scores. */
interface Reading {
  readonly column: SearchedColumn;
  readonly query: TextQuery;
}

function readingsOf(expression: Expression): readonly Reading[] {
  const words = toTextQuery(asWords(expression));
  const side = sideQueryOf(expression);
  return [
    ...(words === undefined ? [] : [{ column: 'word' as const, query: words }]),
    ...(side === undefined ? [] : [{ column: 'bigram' as const, query: side }]),
  ];
}

function sideQueryOf(expression: Expression): TextQuery | undefined {
  const reading = sideReading(expression);
  const query = reading && toTextQuery(reading.expression);
  const extra = reading?.extra && toTextQuery(reading.extra);
  return query && extra ? withWeighty(query, extra) : query;
}
