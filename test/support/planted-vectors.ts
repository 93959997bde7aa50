import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/adapters/sqlite/database/driver.js';
import type { SqliteProjectStores } from '../../src/adapters/sqlite/stores/sqlite-project-stores.js';
import type { LoadExtension } from '../../src/adapters/sqlite/vectors/sqlite-vector-index.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { cosineSimilarity, type Vector } from '../../src/domain/ranking/vector.js';
import type { ProjectStore } from '../../src/ports/project-stores.js';
import type { Neighbour } from '../../src/ports/vector-index.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { document } from './chunks.js';
import { sqliteStores } from './sqlite-stores.js';

export const PLANTED_MODEL = 'test-model';
export const PLANTED = 1100;

/** A project with vectors, most of which another program wrote. */
export class PlantedVectors {
  readonly projectPath: string;
  readonly dbPath: string;
  readonly logger = new SilentLogger();
  readonly #opened: SqliteProjectStores[] = [];

  constructor() {
    this.projectPath = mkdtempSync(join(tmpdir(), 'planted-vectors-'));
    this.dbPath = join(this.projectPath, '.knowledge', 'knowledge.db');
  }

  /** Opens the store as another process has it. */
  open(loadExtension?: LoadExtension): Promise<ProjectStore> {
    const stores = sqliteStores({
      model: PLANTED_MODEL,
      logger: this.logger,
      ...(loadExtension && { loadExtension }),
    });
    this.#opened.push(stores);
    return stores.open(this.projectPath);
  }

  /** Makes the database with its vectors, most of which another program writes. */
  async plant(vectorOf: (n: number) => Vector = scattered): Promise<void> {
    const store = await this.open();
    const planted = document(
      'f.md',
      Array.from({ length: PLANTED }, (_, n) => textOf(n)),
    );
    await store.chunks.replaceSources([{ sourceFile: 'f.md', document: planted }]);
    this.change((db) => {
      for (let n = 2; n < PLANTED; n += 1) writeVector(db, n, vectorOf(n));
    });
    await store.vectors.put('content', [
      { id: 'f.md#0', texts: [textOf(0)], vector: vectorOf(0) },
      { id: 'f.md#1', texts: [textOf(1)], vector: vectorOf(1) },
    ]);
  }

  /** Stores another vector for a planted chunk with this text; `put` alone never overwrites one. */
  async replace(store: ProjectStore, n: number, { text = textOf(n), vector }: NewVector) {
    const chunkId = `f.md#${n}`;
    this.change((db) => db.prepare('DELETE FROM embeddings WHERE chunk_id = ?').run(chunkId));
    return store.vectors.put('content', [{ id: chunkId, texts: [text], vector }]);
  }

  /** Works in one transaction of a connection that does not have sqlite-vec. */
  change<T>(work: (db: Database) => T): T {
    const db = new Database(this.dbPath, { timeout: 5000 });
    try {
      return db.transaction(() => work(db)).immediate();
    } finally {
      db.close();
    }
  }

  /** The nearest by comparing all in 64-bit numbers. */
  naiveNearest(query: Vector, limit: number): readonly Neighbour[] {
    const rows = this.change((db) =>
      db
        .prepare<[string], { readonly chunkId: string; readonly embedding: Buffer }>(
          `SELECT c.id AS chunkId, e.embedding FROM chunks c
           JOIN embeddings e ON e.chunk_id = c.id WHERE e.model = ?`,
        )
        .all(PLANTED_MODEL),
    );
    return rows
      .map(({ chunkId, embedding }) => ({
        chunkId,
        cosine: cosineSimilarity(query, new Float32Array(Uint8Array.from(embedding).buffer)),
      }))
      .toSorted((a, b) => b.cosine - a.cosine || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, limit);
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((stores) => stores.close()));
  }

  async dispose(): Promise<void> {
    await this.close();
    rmSync(this.projectPath, { recursive: true });
  }
}

interface NewVector {
  readonly text?: string | undefined;
  readonly vector: Vector;
}

/** The text of a planted chunk. */
export function textOf(n: number): string {
  return `text ${n}`;
}

/** Writes the vector of a planted chunk as another program does. */
export function writeVector(db: Database, n: number, vector: Vector): void {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  db.prepare(
    `INSERT OR REPLACE INTO embeddings (chunk_id, embedding, model, created_at)
     VALUES (?, ?, ?, '2026-01-01T00:00:00.000Z')`,
  ).run(`f.md#${n}`, bytes, PLANTED_MODEL);
}

/** A vector of length 1 that looks random and is the same every time, in one of 20 clusters. */
export function scattered(seed: number): Vector {
  const cluster = seed % 20;
  const values = Float32Array.from(
    { length: EMBEDDING_DIMENSIONS },
    (_, i) => noise(seed, i) + 0.8 * noise(100_000 + cluster, i),
  );
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

/** From -1 to 1. */
function noise(seed: number, i: number): number {
  let state = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(i + 1, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
  return ((state ^ (state >>> 15)) >>> 0) / 2 ** 31 - 1;
}
