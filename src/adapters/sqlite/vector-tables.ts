import type { Database } from 'better-sqlite3';
import { embeddingText } from '../../domain/chunk.js';
import type { PendingVector } from '../../ports/vector-index.js';
import { CHUNK_COLUMNS, type ChunkRow, parseStrings, toChunk } from './rows.js';
import { countUp, setState, stateOf } from './store-state.js';

/** A vector with the chunk that it belongs to. */
export interface VectorRow {
  readonly id: string;
  readonly blob: Uint8Array;
}

/** Where the vectors of one kind lie, and what they are vectors of. */
export interface VectorTable {
  vectorsOf(db: Database, ids: readonly string[]): Iterable<VectorRow>;
  /** In ascending order of ids. */
  allVectors(db: Database): Iterable<VectorRow>;
  /** At least as many as `allVectors` gives. */
  countRows(db: Database): number;
  /** Another text once vectors were added or removed by anybody, or stored by this service. */
  stamp(db: Database): string;
  /** Those that are valid. */
  countVectors(db: Database): number;
  pending(db: Database, limit: number): readonly PendingVector[];
  /** The texts that are embedded for a chunk; undefined where there is no such chunk. */
  textsOf(db: Database, id: string): readonly string[] | undefined;
  save(db: Database, row: VectorRow, at: Date): void;
}

/** The table `embeddings`, as far as its vectors are of one model. */
export class ContentVectors implements VectorTable {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  vectorsOf(db: Database, ids: readonly string[]): Iterable<VectorRow> {
    return db
      .prepare<[string, string], VectorRow>(
        `SELECT e.chunk_id AS id, e.embedding AS blob FROM json_each(?) j
         JOIN embeddings e ON e.chunk_id = j.value WHERE e.model = ?`,
      )
      .all(JSON.stringify(ids), this.#model);
  }

  allVectors(db: Database): Iterable<VectorRow> {
    return db
      .prepare<[string], VectorRow>(
        `SELECT e.chunk_id AS id, e.embedding AS blob FROM embeddings e
         JOIN chunks c ON c.id = e.chunk_id WHERE e.model = ? ORDER BY e.chunk_id`,
      )
      .iterate(this.#model);
  }

  countRows(db: Database): number {
    return db.prepare<[], number>('SELECT count(*) FROM embeddings').pluck().get() as number;
  }

  stamp(db: Database): string {
    const rows = db.prepare('SELECT count(*), max(rowid) FROM embeddings').raw().get();
    return JSON.stringify([rows, stateOf(db, CONTENT_VERSION)]);
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
      .prepare<[string, number], ChunkRow>(
        `SELECT ${CHUNK_COLUMNS} FROM chunks c
         LEFT JOIN embeddings e ON e.chunk_id = c.id AND e.model = ? AND is_vector(e.embedding)
         WHERE e.chunk_id IS NULL ORDER BY c.created_at DESC, c.rowid DESC LIMIT ?`,
      )
      .all(this.#model, limit)
      .map((row) => ({ chunkId: row.id, texts: [embeddingText(toChunk(row))] }));
  }

  textsOf(db: Database, id: string): readonly string[] | undefined {
    const row = db
      .prepare<[string], ChunkRow>(`SELECT ${CHUNK_COLUMNS} FROM chunks c WHERE c.id = ?`)
      .get(id);
    return row && [embeddingText(toChunk(row))];
  }

  save(db: Database, { id, blob }: VectorRow, at: Date): void {
    db.prepare(
      `INSERT INTO embeddings (chunk_id, embedding, model, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (chunk_id) DO UPDATE SET embedding = excluded.embedding,
         model = excluded.model, created_at = excluded.created_at`,
    ).run(id, blob, this.#model, at.toISOString());
    countUp(db, CONTENT_VERSION);
  }
}

/**
 * The column `chunks.hype_embeddings`: the average vectors of the questions in `hype_queries`. It has no
 * model of its own; once this service has stored one, all are of the model that it was stored for.
 */
export class QuestionVectors implements VectorTable {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  vectorsOf(db: Database, ids: readonly string[]): Iterable<VectorRow> {
    if (!this.#areOfModel(db)) return [];
    return db
      .prepare<[string], VectorRow>(
        `SELECT c.id, c.hype_embeddings AS blob FROM json_each(?) j
         JOIN chunks c ON c.id = j.value WHERE c.hype_embeddings IS NOT NULL`,
      )
      .all(JSON.stringify(ids));
  }

  allVectors(db: Database): Iterable<VectorRow> {
    if (!this.#areOfModel(db)) return [];
    return db
      .prepare<[], VectorRow>(
        `SELECT c.id, c.hype_embeddings AS blob FROM chunks c
         WHERE c.hype_embeddings IS NOT NULL ORDER BY c.id`,
      )
      .iterate();
  }

  countRows(db: Database): number {
    return db.prepare<[], number>('SELECT count(*) FROM chunks').pluck().get() as number;
  }

  stamp(db: Database): string {
    const count = db.prepare('SELECT count(hype_embeddings) FROM chunks').pluck().get();
    return JSON.stringify([count, stateOf(db, HYPE_VERSION), stateOf(db, HYPE_MODEL)]);
  }

  countVectors(db: Database): number {
    if (!this.#areOfModel(db)) return 0;
    return db
      .prepare<[], number>('SELECT count(*) FROM chunks WHERE is_vector(hype_embeddings)')
      .pluck()
      .get() as number;
  }

  pending(db: Database, limit: number): readonly PendingVector[] {
    return db
      .prepare<[number, number], { readonly id: string; readonly hype_queries: string }>(
        `SELECT id, hype_queries FROM chunks
         WHERE CASE WHEN json_valid(hype_queries) THEN json_array_length(hype_queries) > 0 END
           AND NOT (? AND is_vector(hype_embeddings))
         ORDER BY created_at DESC, rowid DESC LIMIT ?`,
      )
      .all(Number(this.#areOfModel(db)), limit)
      .map((row) => ({ chunkId: row.id, texts: parseStrings(row.hype_queries) }));
  }

  textsOf(db: Database, id: string): readonly string[] | undefined {
    const questions = db
      .prepare<[string], string | null>('SELECT hype_queries FROM chunks WHERE id = ?')
      .pluck()
      .get(id);
    return questions === undefined ? undefined : parseStrings(questions);
  }

  /** The first vector of another model takes away those of the last one. */
  save(db: Database, { id, blob }: VectorRow): void {
    if (!this.#areOfModel(db)) db.exec('UPDATE chunks SET hype_embeddings = NULL');
    db.prepare('UPDATE chunks SET hype_embeddings = ? WHERE id = ?').run(blob, id);
    setState(db, HYPE_MODEL, this.#model);
    countUp(db, HYPE_VERSION);
  }

  #areOfModel(db: Database): boolean {
    const model = stateOf(db, HYPE_MODEL);
    return model === undefined || model === this.#model;
  }
}

/** How often this service stored a vector of a kind: tells other connections that one changed. */
const CONTENT_VERSION = 'embeddings_version';
const HYPE_VERSION = 'hype_embeddings_version';
/** The model of the question vectors, once this service has stored one. */
const HYPE_MODEL = 'hype_model';
