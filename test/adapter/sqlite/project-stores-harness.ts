import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import type { Chunk } from '../../../src/domain/chunks/chunk.js';
import type { ProjectStores } from '../../../src/ports/project-stores.js';
import type { PlantedMetrics, StoreHarness } from '../../contract/harness/store-harness.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { sqliteStores } from '../../support/sqlite-stores.js';

/** SQLite stores for projects in a temporary directory, for the contract suites of the store ports. */
export async function sqliteHarness(): Promise<StoreHarness> {
  const clock = new FixedClock();
  const root = mkdtempSync(join(tmpdir(), 'project-stores-'));
  const [projectPath, otherProjectPath] = [join(root, 'project'), join(root, 'other')];
  for (const directory of [projectPath, otherProjectPath]) mkdirSync(directory);
  const made: ProjectStores[] = [];
  const otherProcess = () => {
    const others = sqliteStores({ clock });
    made.push(others);
    return others;
  };
  const stores = otherProcess();
  const dbPath = join(projectPath, '.knowledge', 'knowledge.db');
  return {
    stores,
    projectPath,
    otherProjectPath,
    clock,
    model: 'test-model',
    otherProcess,
    async restart() {
      await stores.close();
      return otherProcess();
    },
    outside: {
      async restartDamaged() {
        await stores.close();
        writeFileSync(
          dbPath,
          'This is not a database, but long enough to be taken for one. '.repeat(99),
        );
        return otherProcess();
      },
      async block() {
        writeFileSync(dirname(dbPath), 'A file stands where a directory should be.');
        return async () => rmSync(dirname(dbPath));
      },
      plantForeignChunk: async (chunk, metrics) => insertChunk(dbPath, chunk, metrics),
      async plantVector(chunkId, vector, vectorModel) {
        const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
        execute(
          dbPath,
          `INSERT INTO embeddings (chunk_id, embedding, model, created_at)
         VALUES (?, ?, ?, '2026-01-01T00:00:00.000Z')`,
          [chunkId, bytes, vectorModel],
        );
      },
    },
    async dispose() {
      await Promise.all(made.map((opened) => opened.close()));
      rmSync(root, { recursive: true });
    },
  };
}

function insertChunk(dbPath: string, chunk: Chunk, metrics: PlantedMetrics = {}): void {
  execute(
    dbPath,
    `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, heading, content,
       tags, importance, created_at, updated_at, last_retrieved_at, retrieval_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      chunk.id,
      chunk.sourceType,
      chunk.sourceFile,
      chunk.projectPath,
      chunk.chunkIndex,
      chunk.heading ?? null,
      chunk.content,
      chunk.tags === undefined ? null : JSON.stringify(chunk.tags),
      chunk.importance,
      chunk.createdAt,
      chunk.updatedAt,
      metrics.lastRetrievedAt ?? null,
      metrics.retrievalCount ?? 0,
    ],
  );
}

/** On a connection of its own, as another program has it. */
function execute(dbPath: string, sql: string, values: readonly unknown[]): void {
  const db = new Database(dbPath);
  db.prepare(sql).run(...values);
  db.close();
}
