import type { Database } from 'better-sqlite3';
import { embeddingText } from '../../../domain/chunks/chunk.js';
import type { PendingVector } from '../../../ports/driven/vector-index.js';
import { CHUNK_COLUMNS, type ChunkRow, HAS_ID, toChunk } from '../chunks/chunk-rows.js';
import type { VectorRow, VectorSource, VectorTable } from './vector-tables.js';

/** The table `embeddings`, as far as its vectors are of one model. */
export class ContentVectors implements VectorTable {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  source(): VectorSource {
    return {
      table: 'embeddings',
      id: 'e.chunk_id',
      blob: 'e.embedding',
      condition: 'e.model = @model',
      model: this.#model,
    };
  }

  countVectors(db: Database): number {
    return db
      .prepare<[string], number>(
        `SELECT count(*) FROM embeddings e JOIN chunks c ON c.id = e.chunk_id
         WHERE e.model = ? AND is_vector(e.embedding)`,
      )
      .pluck()
      .get(this.#model) as number;
  }

  pending(db: Database, limit: number): readonly PendingVector[] {
    return db
      .prepare<[string, string, number], ChunkRow & { readonly other: 0 | 1 }>(
        `SELECT ${CHUNK_COLUMNS},
           EXISTS (SELECT 1 FROM embeddings o WHERE o.chunk_id = c.id AND o.model <> ?) AS other
         FROM chunks c
         LEFT JOIN embeddings e ON e.chunk_id = c.id AND e.model = ? AND is_vector(e.embedding)
         WHERE ${HAS_ID} AND e.chunk_id IS NULL ORDER BY c.created_at DESC, c.rowid DESC LIMIT ?`,
      )
      .all(this.#model, this.#model, limit)
      .map((row) => ({
        chunkId: row.id,
        texts: [embeddingText(toChunk(row))],
        ...(row.other === 1 && { hasOtherModel: true }),
      }));
  }

  textsOf(db: Database, id: string): readonly string[] | undefined {
    const row = db
      .prepare<[string], ChunkRow>(`SELECT ${CHUNK_COLUMNS} FROM chunks c WHERE c.id = ?`)
      .get(id);
    return row && [embeddingText(toChunk(row))];
  }

  has(db: Database, id: string): boolean {
    const found = db
      .prepare(
        'SELECT 1 FROM embeddings WHERE chunk_id = ? AND model = ? AND is_vector(embedding) LIMIT 1',
      )
      .get(id, this.#model);
    return found !== undefined;
  }

  save(db: Database, { id, blob }: VectorRow, at: Date): void {
    db.prepare(
      `INSERT INTO embeddings (chunk_id, embedding, model, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (chunk_id) DO UPDATE SET embedding = excluded.embedding,
         model = excluded.model, created_at = excluded.created_at`,
    ).run(id, blob, this.#model, at.toISOString());
  }
}
