import type { Database } from '../../src/adapters/sqlite/database/driver.js';
import type { LoadExtension } from '../../src/adapters/sqlite/vectors/vector-extension.js';
import { cosineSimilarity, type Vector } from '../../src/domain/ranking/vector.js';
import type { ProjectStore } from '../../src/ports/project-stores.js';
import type { Neighbour } from '../../src/ports/vector-index.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { document, scattered } from './chunks.js';
import { withDatabase } from './database-inspection.js';
import { sqliteStores } from './sqlite-stores.js';
import { TempProject } from './temp-project.js';

/** How many chunks are planted. */
export const PLANTED = 200;

/** A project in SQLite whose vectors another program wrote. */
export class PlantedVectors {
  readonly project = new TempProject();
  readonly logger = new SilentLogger();
  readonly #opened: { close(): Promise<void> }[] = [];

  /** Opens the store as another process would. */
  open(loadExtension?: LoadExtension): Promise<ProjectStore> {
    const stores = sqliteStores({ logger: this.logger, ...(loadExtension && { loadExtension }) });
    this.#opened.push(stores);
    return stores.open(this.project.path);
  }

  async plant(vectorOf: (n: number) => Vector = scattered): Promise<void> {
    const { chunks } = await this.open();
    const texts = Array.from({ length: PLANTED }, (_, n) => textOf(n));
    await chunks.replaceSources([{ sourceFile: 'f.md', document: document('f.md', texts) }]);
    this.change((db) => texts.forEach((_, n) => void writeVector(db, n, vectorOf(n))));
  }

  /** Replaces the vector of a planted chunk. `put` alone would not, since it never overwrites a vector. */
  async replace(store: ProjectStore, n: number, { text = textOf(n), vector }: NewVector) {
    const id = `f.md#${n}`;
    this.change((db) => db.prepare('DELETE FROM embeddings WHERE chunk_id = ?').run(id));
    return store.vectors.put('content', [{ id, texts: [text], vector }]);
  }

  /** Runs work in one transaction, on a connection without sqlite-vec. */
  change<T>(work: (db: Database) => T): T {
    return withDatabase(this.project.database, (db) => db.transaction(() => work(db)).immediate());
  }

  /** The nearest chunks, found by comparing all vectors in double precision. */
  naiveNearest(query: Vector, limit: number): readonly Neighbour[] {
    const rows = this.change((db) =>
      db
        .prepare<[], { readonly chunkId: string; readonly embedding: Buffer }>(
          `SELECT c.id AS chunkId, e.embedding FROM chunks c
           JOIN embeddings e ON e.chunk_id = c.id WHERE e.model = 'test-model'`,
        )
        .all(),
    );
    return rows
      .map(({ chunkId, embedding }) => ({
        chunkId,
        cosine: cosineSimilarity(query, new Float32Array(Uint8Array.from(embedding).buffer)),
      }))
      .toSorted((a, b) => b.cosine - a.cosine || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, limit);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((stores) => stores.close()));
    this.project.remove();
  }
}

interface NewVector {
  readonly text?: string | undefined;
  readonly vector: Vector;
}

export function textOf(n: number): string {
  return `text ${n}`;
}

/** Writes the vector of a planted chunk as another program would. */
export function writeVector(db: Database, n: number, vector: Vector): void {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  db.prepare("INSERT OR REPLACE INTO embeddings VALUES (?, ?, 'test-model', '2026')").run(
    `f.md#${n}`,
    bytes,
  );
}
