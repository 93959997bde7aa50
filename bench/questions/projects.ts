import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillProject, ingest } from '../quality/bench-project.js';
import { readCollection } from '../quality/collection.js';
import { loadRealEmbedder } from '../quality/real-embedder.js';
import { startService, untilEmbedded } from '../quality/service.js';

/** The documents to ask about: a set of `../shared/quality`, or a folder made into a project by hand. */
export type Documents = { readonly set: string } | { readonly folder: string };

interface OpenedDocuments {
  readonly path: string;
  remove(): void;
}

/** Opens documents; undefined if the folder does not exist. Computing its vectors the first time takes minutes. */
export async function openDocuments(documents: Documents): Promise<OpenedDocuments | undefined> {
  if ('set' in documents) {
    const settings = { queryVectorTimeoutMs: 60_000 };
    return fillProject(readCollection(DATA, documents.set), { settings });
  }
  const path = join(FOLDERS, documents.folder);
  if (!existsSync(path)) return undefined;
  await ingest(path);
  const running = startService('hybrid', await loadRealEmbedder());
  try {
    await untilEmbedded(running, path);
  } finally {
    await running.stop();
  }
  return { path, remove: () => undefined };
}

const DATA = fileURLToPath(new URL('../../../shared/quality', import.meta.url));

/** Folders that are not committed. */
const FOLDERS = fileURLToPath(new URL('../results/questions', import.meta.url));
