import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { generator } from '../../quality/statistics.js';
import { APP_DIR, ComparedService, type Contender } from './compared-service.js';

/** Starts a contender on a copy of a project that it has indexed itself. Resolves when it searches in full. */
export async function startOnCopy(
  contender: Contender,
  source: string,
  folder: string,
): Promise<ComparedService> {
  const project = join(folder, contender.name.replaceAll(/\W+/g, '-'));
  cpSync(source, project, { recursive: true });
  const environment = { ...contender.environment, KNOWLEDGE_VARIANT: 'search-only' };
  const indexer = new ComparedService({ ...contender, environment }, project);
  await indexer.index();
  await indexer.stop();
  plantVectors(project);
  const service = new ComparedService(contender, project);
  const mode = contender.environment['KNOWLEDGE_VARIANT'] === 'hybrid' ? 'hybrid' : 'bm25';
  while ((await service.search(contender.name)) !== mode) await sleep(200);
  return service;
}

/** Vectors of a model would take minutes, and what a search costs does not depend on their values. */
function plantVectors(project: string): void {
  const db = new Database(join(project, APP_DIR, 'knowledge.db'));
  const random = generator(1);
  const add = db.prepare("INSERT INTO embeddings VALUES (?, ?, ?, '2026-01-01T00:00:00.000Z')");
  db.transaction(() => {
    for (const id of db.prepare('SELECT id FROM chunks').pluck().all()) {
      const vector = new Float32Array(DIMENSIONS).map(() => random() - 0.5);
      const length = Math.hypot(...vector);
      add.run(id, Buffer.from(vector.map((value) => value / length).buffer), MODEL);
    }
  })();
  db.close();
}

const DIMENSIONS = 384;
const MODEL = 'Xenova/all-MiniLM-L6-v2';
