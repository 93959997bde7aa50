import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectHistory, RecentProject } from '../../ports/project-directories.js';

/** One file per project in a user folder: its text is the path, and its time shows when the project was last opened. */
export class ProjectHistoryFiles implements ProjectHistory {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  remember(projectPath: string): void {
    const name = createHash('sha256').update(projectPath).digest('hex').slice(0, NAME_CHARACTERS);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(this.#folder, name), projectPath, { mode: 0o600 });
    } catch {
      // The data directory is read-only, so the project is not listed.
    }
  }

  list(): readonly RecentProject[] {
    const known = listNames(this.#folder).flatMap((name) => this.#read(name) ?? []);
    return known.toSorted((a, b) => b.usedAt.getTime() - a.usedAt.getTime());
  }

  /** Reads the file of a project, and removes it if the project is gone. */
  #read(name: string): RecentProject | undefined {
    const file = join(this.#folder, name);
    try {
      const path = readFileSync(file, 'utf8');
      if (path === '') return undefined; // another process is writing it
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
        return { path, usedAt: statSync(file).mtime };
      }
      rmSync(file, { force: true });
    } catch {
      // Another process has removed it.
    }
    return undefined;
  }
}

const NAME_CHARACTERS = 32;

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
