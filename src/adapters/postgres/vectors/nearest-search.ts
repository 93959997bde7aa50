import { cosineSimilarity, type Vector } from '../../../domain/ranking/vector.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';
import type { Neighbour } from '../../../ports/driven/vector-index.js';
import { chunkCondition } from '../chunks/chunk-rows.js';
import type { ProjectContext } from '../database/project-database.js';
import type { Session } from '../database/session.js';
import { Parameters } from '../database/session.js';
import type { OptionalIndexes } from '../indexes/optional-indexes.js';
import { neighbourIndexName, type VectorModel } from './neighbour-index.js';
import { fromVectorBytes, toVectorText } from './vector-values.js';

export interface NearestSearch extends VectorModel {
  /** Of length 1. */
  readonly query: Vector;
  readonly filter: ChunkFilter;
  readonly limit: number;
  /** Of the vectors. */
  readonly table: string;
}

/**
 * The nearest chunks. pgvector adds in single precision, and the index compares in half precision: more
 * rows than asked for are fetched and compared again in double precision.
 */
export async function findNearest(
  project: ProjectContext,
  indexes: OptionalIndexes,
  search: NearestSearch,
): Promise<readonly Neighbour[]> {
  const { database, schema } = project;
  if (search.table.endsWith('.content_vectors')) {
    const found = await indexes.read(neighbourIndexName(search), async (session) => {
      await session.execute(`BEGIN READ ONLY; ${INDEX_SETTINGS}`);
      try {
        return await fetchRows(session, schema, { ...search, kind: 'indexed' });
      } finally {
        await session.execute('ROLLBACK');
      }
    });
    if (found !== undefined && found.length >= search.limit) return best(found, search);
  }
  const rows = await database.read((session) =>
    fetchRows(session, schema, { ...search, kind: 'exact' }),
  );
  return best(rows, search);
}

/** Rows that are fetched beyond the limit, because their order may change. */
const SPARE_ROWS = 50;
/** Rows that an index search looks at, the most that pgvector takes; more until enough of them pass the filter. */
const INDEX_SETTINGS = `SET LOCAL hnsw.ef_search = 1000; SET LOCAL hnsw.iterative_scan = strict_order`;

interface VectorRow {
  readonly id: string;
  readonly bytes: Buffer;
}

function fetchRows(
  session: Session,
  schema: string,
  search: NearestSearch & { readonly kind: 'indexed' | 'exact' },
): Promise<readonly VectorRow[]> {
  const parameters = new Parameters();
  const { query, filter, limit, model, dimensions, table, kind } = search;
  const vector = parameters.add(toVectorText(query));
  const distance =
    kind === 'indexed'
      ? `v.vector::halfvec(${dimensions}) <=> ${vector}::halfvec(${dimensions})`
      : `v.vector <=> ${vector}::vector`;
  const condition = chunkCondition(filter, parameters);
  const join = condition === 'true' ? '' : `JOIN ${schema}.chunks c ON c.no = v.chunk_no`;
  const sql = `SELECT c.id, vector_send(v.vector) AS bytes FROM (
      SELECT v.chunk_no FROM ${table} v ${join}
      WHERE v.model = '${model.replaceAll("'", "''")}' AND vector_dims(v.vector) = ${dimensions}
        AND ${condition}
      ORDER BY ${distance} LIMIT ${parameters.add(limit + SPARE_ROWS)}
    ) near JOIN ${table} v ON v.chunk_no = near.chunk_no JOIN ${schema}.chunks c ON c.no = near.chunk_no`;
  return session.query<VectorRow>(sql, parameters.values);
}

function best(rows: readonly VectorRow[], { query, limit }: NearestSearch): readonly Neighbour[] {
  return rows
    .map(({ id, bytes }) => ({
      chunkId: id,
      cosine: cosineSimilarity(query, fromVectorBytes(bytes)),
    }))
    .toSorted((a, b) => b.cosine - a.cosine || (a.chunkId < b.chunkId ? -1 : 1))
    .slice(0, limit);
}
