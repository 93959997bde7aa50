import { watch, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { SIDECARS } from '../../../src/adapters/sqlite/database/untrusted-files.js';
import * as layout from '../../../src/domain/project-layout.js';
import { type Client, startClient } from '../../../test/support/running-service-calls.js';
import { TempProject } from '../../../test/support/temp-project.js';

const APP_DIR = '.knowledge';
const SAMPLE_NAME = 'a';
const WATCH_DELAY_MS = 300;

/**
 * Collects the paths in a project that the product creates or opens: those of the project's layout, and those that
 * appear while a service works. Names with a random part are included as they appeared.
 */
export async function collectProductNames(foreignDatabase: Buffer): Promise<readonly string[]> {
  const names = new Set([...namesFromLayout(), ...(await namesFromUse(foreignDatabase))]);
  const databases = [...names].filter((name) => name.startsWith(`${APP_DIR}/knowledge.db`));
  for (const name of databases.filter((name) => !SIDECARS.some((one) => name.endsWith(one)))) {
    for (const sidecar of SIDECARS) names.add(name + sidecar);
  }
  return [...names].toSorted();
}

/** Calls each function of the layout that returns a path or a folder. */
function namesFromLayout(): readonly string[] {
  const constants = [layout.DATABASE_FILE, layout.PROJECT_KEY_FILE].map((n) => `${APP_DIR}/${n}`);
  const saved = layout.SAVED_TYPES.flatMap((type) => [
    layout.savedFolder(APP_DIR, type),
    layout.savedPath(APP_DIR, { sourceType: type, name: SAMPLE_NAME }),
  ]);
  const named = Object.entries(layout).flatMap(([name, make]) => {
    const givesPath = /(Path|Folder)$/.test(name) && !/^(is|saved|named)/.test(name);
    return givesPath
      ? [String((make as (...names: string[]) => unknown)(APP_DIR, SAMPLE_NAME))]
      : [];
  });
  return [...constants, ...saved, ...named];
}

/** Watches a project while a service indexes, saves, adopts a foreign database and replaces a damaged one. */
async function namesFromUse(foreignDatabase: Buffer): Promise<readonly string[]> {
  const project = new TempProject({
    'a.md': '## A\n\na tapir\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    [`${APP_DIR}/x.md`]: 'x',
  });
  const seen = new Set<string>();
  const watcher = watch(project.path, { recursive: true }, (_, name) => {
    if (name?.startsWith(`${APP_DIR}/`)) seen.add(name);
  });
  await setTimeout(WATCH_DELAY_MS);
  for (const damage of [undefined, foreignDatabase, 'this is no database\n'.repeat(1000)]) {
    if (damage !== undefined) writeFileSync(project.database, damage);
    const client = await startClient('hybrid');
    await useAll(client, project);
    await client.service.stop();
  }
  await setTimeout(WATCH_DELAY_MS);
  watcher.close();
  project.remove();
  return [...seen];
}

async function useAll(client: Client, project: TempProject): Promise<void> {
  await client.rebuild(project);
  await client.post('/x/notes', project, { title: 'A', content: 'a tapir', force: true });
  await client.post('/x/documents', project, { path: 'a.md', content: 'a tapir' });
  await client.post('/x/doctor', project, { repair: true });
  await client.search(project, 'tapir');
}
