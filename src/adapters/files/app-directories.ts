import { type Dirent, lstatSync, opendirSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { NEVER_SEARCHED } from '../../domain/documentation.js';
import {
  DATABASE_FILE,
  DEFAULT_APP_DIR,
  FEATURE_FILES,
  featuresFolder,
} from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { Logger } from '../../ports/driven/logger.js';

/**
 * The application directories of all projects.
 * @param name of the folder in every project; default: it is looked for in each
 * @param logger told once of each project that seems to have several
 */
export function appDirectories(name?: string, logger?: Pick<Logger, 'warn'>): AppDirectories {
  if (name === undefined) return new FoundAppDirectories(logger);
  return { of: () => name, others: () => [] };
}

/** Looks again where there is no such folder, or `.knowledge` came beside another one. */
class FoundAppDirectories implements AppDirectories {
  readonly #logger: Pick<Logger, 'warn'> | undefined;
  readonly #known = new Map<string, string>();

  constructor(logger: Pick<Logger, 'warn'> | undefined) {
    this.#logger = logger;
  }

  of(projectPath: string): string {
    const known = this.#known.get(projectPath);
    const isThere = (name: string) => entryAt(join(projectPath, name)) !== undefined;
    const isDefault = known !== undefined && isThere(DEFAULT_APP_DIR);
    if (isDefault) return DEFAULT_APP_DIR;
    if (known !== undefined && known !== DEFAULT_APP_DIR && isThere(known)) return known;
    const found = lookIn(projectPath);
    if (known === undefined) this.#warn(projectPath, found);
    this.#known.set(projectPath, found.appDir);
    return found.appDir;
  }

  others(projectPath: string): readonly string[] {
    const appDir = this.of(projectPath);
    return lookIn(projectPath).found.filter((name) => name !== appDir);
  }

  #warn(project: string, { appDir, found }: Found): void {
    const others = found.filter((name) => name !== appDir);
    if (others.length === 0) return;
    this.#logger?.warn(
      `Several folders look like the application directory: ${appDir} is used, ${others.join(' and ')} not; KNOWLEDGE_APP_DIR names another one.`,
      { project },
    );
  }
}

interface Found {
  readonly appDir: string;
  /** The hidden folders that look like an application directory, `appDir` perhaps among them. */
  readonly found: readonly string[];
}

function lookIn(projectPath: string): Found {
  const found = hiddenFolders(projectPath).filter((name) => looksLikeIt(join(projectPath, name)));
  const isDefault = entryAt(join(projectPath, DEFAULT_APP_DIR)) !== undefined;
  const [first = DEFAULT_APP_DIR, ...more] = found;
  return { appDir: isDefault || more.length > 0 ? DEFAULT_APP_DIR : first, found };
}

function hiddenFolders(projectPath: string): readonly string[] {
  return entriesOf(projectPath)
    .filter((entry) => entry.isDirectory() && /^\.[^.]/.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => !NEVER_SEARCHED.has(name))
    .sort();
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function looksLikeIt(folder: string): boolean {
  if (entryAt(join(folder, DATABASE_FILE))?.isFile() === true) return true;
  const features = featuresFolder(folder);
  return firstFolders(features).some((id) =>
    FEATURE_FILES.some((file) => entryAt(join(features, id, file))?.isFile() === true),
  );
}

/** Some folders of a large folder say as much as all of them. */
function firstFolders(folder: string): readonly string[] {
  const names: string[] = [];
  try {
    const directory = opendirSync(folder);
    try {
      for (let i = 0; i < FOLDERS_MAX; i += 1) {
        const entry = directory.readSync();
        if (entry === null) break;
        if (entry.isDirectory()) names.push(entry.name);
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    // What cannot be read is no application directory.
  }
  return names;
}

const FOLDERS_MAX = 1000;

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
