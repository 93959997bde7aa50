import { createHash } from 'node:crypto';

/** The model whose vectors are compared. */
export interface VectorModel {
  readonly model: string;
  readonly dimensions: number;
}

/** An index of the content vectors of one model; named after it, so that another model has another. */
export function neighbourIndexName({ model }: VectorModel): string {
  return `near_${createHash('sha256').update(model).digest('hex').slice(0, 12)}`;
}

/**
 * HNSW over vectors in half precision, which takes half the space; results are compared again exactly. The
 * graph is denser than pgvector's default, which misses whole groups of near vectors (docs/scale.md).
 */
export function neighbourIndexDefinition(
  schema: string,
  { model, dimensions }: VectorModel,
): string {
  const name = model.replaceAll("'", "''");
  return `ON ${schema}.content_vectors USING hnsw
    ((vector::halfvec(${dimensions})) halfvec_cosine_ops)
    WITH (m = 32, ef_construction = 128)
    WHERE model = '${name}' AND vector_dims(vector) = ${dimensions}`;
}
