import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProjectStores } from '../../../src/ports/project-stores.js';
import type { StoreHarness } from '../../contract/harness/store-harness.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { execute, insertChunk } from '../../support/database-inspection.js';
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
      async plantForeignChunk(chunk, metrics = {}) {
        insertChunk(dbPath, {
          id: chunk.id,
          source_type: chunk.sourceType,
          source_file: chunk.sourceFile,
          project_path: chunk.projectPath,
          chunk_index: chunk.chunkIndex,
          heading: chunk.heading ?? null,
          content: chunk.content,
          tags: chunk.tags === undefined ? null : JSON.stringify(chunk.tags),
          importance: chunk.importance,
          created_at: chunk.createdAt,
          updated_at: chunk.updatedAt,
          last_retrieved_at: metrics.lastRetrievedAt ?? null,
          retrieval_count: metrics.retrievalCount ?? 0,
        });
      },
      async plantVector(chunkId, vector, vectorModel) {
        const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
        const insert = 'INSERT INTO embeddings VALUES (?, ?, ?, ?)';
        execute(dbPath, insert, chunkId, bytes, vectorModel, '2026-01-01T00:00:00.000Z');
      },
    },
    async dispose() {
      await Promise.all(made.map((opened) => opened.close()));
      rmSync(root, { recursive: true });
    },
  };
}
