import { type Dirent, lstatSync, opendirSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
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

/** The application directory that a project has: `.knowledge`, or the one hidden folder that looks like it. */
export function findAppDir(projectPath: string): string | undefined {
  const { appDir, others } = lookIn(projectPath);
  return others.length > 0 || entryAt(join(projectPath, appDir)) !== undefined ? appDir : undefined;
}

/** Looks again when something directly in the project came or went, or where it has no such folder yet. */
class FoundAppDirectories implements AppDirectories {
  readonly #logger: Pick<Logger, 'warn'> | undefined;
  readonly #known = new Map<string, Known>();

  constructor(logger: Pick<Logger, 'warn'> | undefined) {
    this.#logger = logger;
  }

  of(projectPath: string): string {
    return this.#find(projectPath).appDir;
  }

  others(projectPath: string): readonly string[] {
    return this.#find(projectPath).others;
  }

  #find(projectPath: string): Found {
    const version = versionOf(entryAt(projectPath));
    const known = this.#known.get(projectPath);
    if (known !== undefined && version !== undefined && known.version === version) return known;
    const found = lookIn(projectPath);
    this.#tell(projectPath, found, known);
    const isThere = entryAt(join(projectPath, found.appDir)) !== undefined;
    this.#remember(projectPath, { ...found, version: isThere ? version : undefined });
    return found;
  }

  #tell(project: string, { appDir, others }: Found, before: Found | undefined): void {
    if (others.length === 0 || before?.others.join('/') === others.join('/')) return;
    this.#logger?.warn(
      `Several folders look like the application directory: ${appDir} is used, ${others.join(' and ')} not; KNOWLEDGE_APP_DIR names another one.`,
      { project },
    );
  }

  #remember(projectPath: string, known: Known): void {
    this.#known.delete(projectPath);
    this.#known.set(projectPath, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KNOWN_PROJECTS && oldest !== undefined) this.#known.delete(oldest);
  }
}

interface Found {
  readonly appDir: string;
  readonly others: readonly string[];
}

interface Known extends Found {
  /** Of the project when it was looked in; undefined if that tells nothing. */
  readonly version: string | undefined;
}

const KNOWN_PROJECTS = 1000;

function lookIn(projectPath: string): Found {
  const found = hiddenFolders(projectPath).filter((name) => looksLikeIt(join(projectPath, name)));
  const isDefault = entryAt(join(projectPath, DEFAULT_APP_DIR)) !== undefined;
  const [first = DEFAULT_APP_DIR, ...more] = found;
  const appDir = isDefault || more.length > 0 ? DEFAULT_APP_DIR : first;
  return { appDir, others: found.filter((name) => name !== appDir) };
}

function hiddenFolders(projectPath: string): readonly string[] {
  return entriesOf(projectPath)
    .filter((entry) => entry.isDirectory() && /^\.[^.]/.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => !VERSION_CONTROL.has(name))
    .sort();
}

const VERSION_CONTROL: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj']);

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

/** Undefined for a folder that was changed so lately that its time may be that of a later change, too. */
function versionOf(stats: Stats | undefined): string | undefined {
  if (stats === undefined || Date.now() - stats.mtimeMs < SETTLED_MS) return undefined;
  return `${stats.dev} ${stats.ino} ${stats.mtimeMs}`;
}

const SETTLED_MS = 100;

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
