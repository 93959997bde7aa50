import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { plantVectors } from '../planted-vectors.js';
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
  // Vectors of the model would take minutes.
  plantVectors(join(project, APP_DIR, 'knowledge.db'), MODEL);
  const service = new ComparedService(contender, project);
  const mode = contender.environment['KNOWLEDGE_VARIANT'] === 'hybrid' ? 'hybrid' : 'bm25';
  while ((await service.search(contender.name)) !== mode) await sleep(200);
  return service;
}

const MODEL = 'Xenova/all-MiniLM-L6-v2';
