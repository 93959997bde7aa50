import { KEPT_VECTORS_MAX, KEPT_VECTORS_MS } from '../../../domain/limits.js';
import type { SchemaSession } from '../database/session.js';

interface KeepingContext extends SchemaSession {
  readonly now: Date;
}

/** Stores the vectors of chunks that are about to be deleted, so that the same text need not be embedded again. */
export async function keepVectors(
  { session, schema, now }: KeepingContext,
  numbers: readonly number[],
) {
  if (numbers.length === 0) return;
  const kept = await session.query(
    `${keepInto(schema)} SELECT DISTINCT ON (1, 2) ${textHash('c')}, v.model, v.vector, $2::timestamptz
     FROM ${schema}.chunks c JOIN ${schema}.content_vectors v ON v.chunk_no = c.no WHERE c.no = ANY($1)
     ${REPLACE_KEPT}`,
    [numbers, now],
  );
  if (kept.length > 0) await forgetSurplus({ session, schema, now });
}

/** Stores the vectors of the headers of sources that are about to be changed or deleted. */
export async function keepHeaders(
  { session, schema, now }: KeepingContext,
  sourceFiles: readonly string[],
) {
  await session.query(
    `${keepInto(schema)} SELECT DISTINCT ON (1, 2) ${HEADER_HASH}, n.model, n.vector, $2::timestamptz
     FROM ${schema}.names n WHERE n.source_file = ANY($1) AND n.vector IS NOT NULL AND n.model IS NOT NULL
     ${REPLACE_KEPT}`,
    [sourceFiles, now],
  );
}

/** Restores the kept vectors of a source's header and of its chunks, where they have no vector. */
export async function restoreVectors(
  { session, schema, model }: SchemaSession & { readonly model: string },
  sourceFile: string,
) {
  const [any] = await session.query(`SELECT 1 FROM ${schema}.kept_vectors LIMIT 1`);
  if (any === undefined) return;
  await session.query(
    `UPDATE ${schema}.names n SET model = k.model, vector = k.vector FROM ${schema}.kept_vectors k
     WHERE n.source_file = $1 AND n.vector IS NULL AND n.header <> '' AND k.text_hash = ${HEADER_HASH} AND k.model = $2`,
    [sourceFile, model],
  );
  await session.query(
    `INSERT INTO ${schema}.content_vectors (chunk_no, model, vector)
     SELECT c.no, k.model, k.vector FROM ${schema}.chunks c JOIN ${schema}.kept_vectors k ON k.text_hash = ${textHash('c')}
     WHERE c.source_file = $1 AND k.model = $2 ON CONFLICT (chunk_no) DO NOTHING`,
    [sourceFile, model],
  );
  await session.query(
    `UPDATE ${schema}.content_vectors v SET compared = v.vector + n.vector
     FROM ${schema}.chunks c JOIN ${schema}.names n ON n.source_file = c.source_file
     WHERE c.source_file = $1 AND v.chunk_no = c.no AND v.model = n.model AND v.compared IS NULL
       AND n.vector IS NOT NULL`,
    [sourceFile],
  );
}

async function forgetSurplus({ session, schema, now }: KeepingContext): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_VECTORS_MS);
  await session.query(`DELETE FROM ${schema}.kept_vectors WHERE kept_at < $1`, [oldest]);
  await session.query(
    `DELETE FROM ${schema}.kept_vectors k USING (
       SELECT text_hash, model FROM ${schema}.kept_vectors ORDER BY kept_at DESC OFFSET ${KEPT_VECTORS_MAX}
     ) o WHERE k.text_hash = o.text_hash AND k.model = o.model`,
  );
}

function keepInto(schema: string): string {
  return `INSERT INTO ${schema}.kept_vectors (text_hash, model, vector, kept_at)`;
}

const REPLACE_KEPT = `ON CONFLICT (text_hash, model) DO UPDATE
  SET vector = excluded.vector, kept_at = excluded.kept_at RETURNING 1`;

/** SQL for the hash of a chunk's heading and content. */
function textHash(chunk: string): string {
  const text = `coalesce(${chunk}.heading || E'\\n', '') || ${chunk}.content`;
  return `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
}

/**
 * SQL for the hash of a header, apart from chunk texts: its vector is weighted, so a chunk with the same text cannot
 * reuse it.
 */
const HEADER_HASH = `encode(sha256(convert_to(E'header\\n' || n.header, 'UTF8')), 'hex')`;
