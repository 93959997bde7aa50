import { containsUnspaced } from '../../../domain/bigrams.js';
import {
  COUNTED_CHUNKS_MAX,
  MIXED_CASE_CHUNKS_MAX,
  SCANNED_CHUNKS_MAX,
} from '../../../domain/limits.js';
import { asBigrams, type Expression } from '../../../domain/query/expression.js';
import { mixedCaseWordsWith } from '../../../domain/query/mixed-case.js';
import type { ScoredChunk } from '../../../domain/ranking/scored-chunk.js';
import type { ChunkCounts, KeywordIndex, KeywordQuery } from '../../../ports/keyword-index.js';
import { CHUNK_COLUMNS, type ChunkRow, toChunk } from '../chunks/chunk-rows.js';
import type { ProjectContext } from '../database/postgres-database.js';
import { onSnapshot } from '../database/session.js';
import { rankChunks } from './chunk-ranking.js';
import { toTextQuery } from './text-query.js';

/** Finds words with GIN indexes, and ranks the matches by BM25 in plain SQL. */
export class PostgresKeywordIndex implements KeywordIndex {
  readonly #project: ProjectContext;

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  async search(query: KeywordQuery): Promise<readonly ScoredChunk[]> {
    const { database, schema, projectPath } = this.#project;
    return database.read((asked) =>
      onSnapshot(asked, async (session) => {
        const best = await rankChunks({ session, schema }, query);
        if (best.length === 0) return [];
        const rows = await session.query<ChunkRow & { readonly no: number }>(
          `SELECT ${CHUNK_COLUMNS}, c.no FROM ${schema}.chunks c WHERE c.no = ANY($1::bigint[])`,
          [best.map(({ key }) => key)],
        );
        const chunks = new Map(rows.map((row) => [row.no, toChunk(row, projectPath)]));
        return best.flatMap(({ key, relevance }) => {
          const chunk = chunks.get(key);
          return chunk === undefined ? [] : [{ chunk, score: relevance, bm25: relevance }];
        });
      }),
    );
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
}

function buildLookup(text: string) {
  const expression: Expression = { kind: 'terms', terms: [{ text, prefix: false }] };
  const isUnspaced = containsUnspaced(text);
  const query = toTextQuery(isUnspaced ? asBigrams(expression) : expression);
  return { column: isUnspaced ? 'bigram' : 'word', match: query?.match } as const;
}
