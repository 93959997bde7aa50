import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../../app/config/read-config.js';
import { endProcess, readPid } from './find.js';
import { checkFolder, possibleFolders } from './place.js';

/** Stops all local services of this user after their writes. Resolves with their number. */
export async function stopServices(env: Environment): Promise<number> {
  const files = possibleFolders(env).flatMap(listFiles);
  const pids = files.flatMap((file) => (file.endsWith('.pid') ? (readPid(file) ?? []) : []));
  await Promise.all([...new Set(pids)].map(endService));
  for (const file of files) rmSync(file, { recursive: true, force: true });
  return pids.length;
}

/**
 * Lists the files in a folder. Empty if the folder does not belong to this user: in /tmp, another user may have put
 * anything there, such as a link.
 */
function listFiles(folder: string): readonly string[] {
  try {
    checkFolder(folder);
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Stops a service and waits for its end, which takes less than 10 seconds. Kills it if it takes longer than that. */
async function endService(pid: number): Promise<void> {
  endProcess(pid, 'SIGTERM');
  for (const startedAt = performance.now(); isAlive(pid); await pause(LOOK_EVERY_MS)) {
    if (performance.now() - startedAt > STOP_MAX_MS) endProcess(pid, 'SIGKILL');
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const LOOK_EVERY_MS = 20;
const STOP_MAX_MS = 11_000;
