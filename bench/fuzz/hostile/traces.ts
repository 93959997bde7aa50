import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CANARY, TRIGGER_MARK } from './site.js';

const LARGEST = 64 * 1024 * 1024;

/** What the database of a project shows to have happened: hostile SQL ran, or text from outside was read. */
export function tracesIn(projectPath: string): readonly string[] {
  return databaseFilesOf(join(projectPath, '.knowledge')).flatMap((path) => {
    const bytes = bytesOf(path);
    return [
      ...(bytes.includes(TRIGGER_MARK) ? ['hostile SQL ran'] : []),
      ...(bytes.includes(CANARY) ? ['text from outside was stored'] : []),
    ];
  });
}

/** The service may remove it meanwhile. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

function databaseFilesOf(folder: string): readonly string[] {
  try {
    if (!lstatSync(folder).isDirectory()) return [];
    return readdirSync(folder)
      .filter((name) => name.startsWith('knowledge.db'))
      .map((name) => join(folder, name))
      .filter((path) => {
        const stats = lstatSync(path);
        return stats.isFile() && stats.size < LARGEST;
      });
  } catch {
    return [];
  }
}
