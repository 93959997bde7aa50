import {
  asBigrams,
  asWords,
  type Expression,
  hasTermsInRuns,
} from '../../../domain/query/expression.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { ChunkFilter } from '../../../ports/chunk-filter.js';
import type { KeywordIndex } from '../../../ports/keyword-index.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk } from '../chunks/chunk-rows.js';
import type { ProjectContext } from '../database/project-context.js';
import { Parameters } from '../database/session.js';
import type { OptionalIndex } from '../indexes/index-catalog.js';
import type { OptionalIndexes } from '../indexes/optional-indexes.js';
import { bm25Ranking, isRankedByIndex } from './bm25-index.js';
import { exactRanking, type SearchedColumn } from './exact-ranking.js';
import { rewriteWords } from './indexed-words.js';
import { type TextQuery, toTextQuery } from './text-query.js';

/**
 * Ranks the words of a large project by the BM25 index of pg_textsearch, and everything else in plain SQL:
 * small projects, prefixes, words inside runs of letters, and all where the index is missing or fails.
 * The index has an idf of its own, ln(1 + (N - n + 0.5) / (n + 0.5)), and rounds lengths.
 */
export class PostgresKeywordIndex implements KeywordIndex {
  readonly #project: ProjectContext;
  readonly #indexes: OptionalIndexes;
  readonly #index: OptionalIndex;

  /** @param index the one of pg_textsearch */
  constructor(project: ProjectContext, indexes: OptionalIndexes, index: OptionalIndex) {
    this.#project = project;
    this.#indexes = indexes;
    this.#index = index;
  }

  async search(
    expression: Expression,
    filter: ChunkFilter,
    limit: number,
  ): Promise<readonly ScoredChunk[]> {
    const rows = await this.#ranked<ChunkRow & Ranked>(
      { expression, filter, limit },
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
    const request = { expression, filter: EVERYTHING, limit: chunkIds.length, ids: chunkIds };
    const rows = await this.#ranked<Ranked & { readonly id: string }>(
      request,
      (list, end) =>
        `SELECT c.id, list.relevance FROM (${list}) list
       JOIN ${this.#project.schema}.chunks c ON c.no = list.no LIMIT ${end}`,
    );
    return new Map(rows.map(({ id, relevance }) => [id, relevance]));
  }

  async rebuild(): Promise<void> {
    await rewriteWords(this.#project, this.#indexes);
    await this.#indexes.rebuild();
  }

  /** The rows of a statement around the list of ranked chunks, made in plain SQL if the index cannot be used. */
  async #ranked<Row extends object>(
    request: RankingRequest,
    around: (list: string, limit: string) => string,
  ): Promise<readonly Row[]> {
    const { schema } = this.#project;
    const readings = readingsOf(request.expression);
    if (readings.length === 0) return [];
    return this.#indexes.read(this.#index, (session, index) => {
      const parameters = new Parameters();
      const lists = readings.map((reading) => {
        const ranking = { ...request, ...reading, schema };
        return index !== undefined && reading.column === 'word' && isRankedByIndex(reading.query)
          ? bm25Ranking({ ...ranking, index }, parameters)
          : exactRanking(ranking, parameters);
      });
      const list = `SELECT no, importance, max(relevance) AS relevance
        FROM ((${lists.join(') UNION ALL (')})) lists
        WHERE relevance > 0 GROUP BY no, importance`;
      const sql = around(list, parameters.add(request.limit));
      return session.query<Row>(sql, parameters.values);
    });
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
}

/** One way to read an expression; a chunk that several find has the best of their scores. */
interface Reading {
  readonly column: SearchedColumn;
  readonly query: TextQuery;
}

function readingsOf(expression: Expression): readonly Reading[] {
  const words = toTextQuery(asWords(expression));
  const bigrams = hasTermsInRuns(expression) ? toTextQuery(asBigrams(expression)) : undefined;
  return [
    ...(words === undefined ? [] : [{ column: 'word' as const, query: words }]),
    ...(bigrams === undefined ? [] : [{ column: 'bigram' as const, query: bigrams }]),
  ];
}
