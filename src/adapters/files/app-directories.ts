import { type Dirent, lstatSync, opendirSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { NEVER_SEARCHED } from '../../domain/documentation.js';
import { SETTINGS_MAX_BYTES } from '../../domain/limits.js';
import {
  DATABASE_FILE,
  DEFAULT_APP_DIR,
  FEATURE_FILES,
  featuresFolder,
} from '../../domain/project-layout.js';
import type { Logger } from '../../ports/logger.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import { bytesAt, readOpened } from './inside-project.js';

/**
 * The application directories of all projects.
 * @param name of the folder in every project; default: it is looked for in each
 * @param logger gets one warning for each project that seems to have several
 */
export function appDirectories(name?: string, logger?: Pick<Logger, 'warn'>): AppDirectories {
  if (name === undefined) return new FoundAppDirectories(logger);
  return { of: () => name, others: () => [] };
}

/** Looks again at most once a second, unless the folder that it knows holds knowledge. */
class FoundAppDirectories implements AppDirectories {
  readonly #logger: Pick<Logger, 'warn'> | undefined;
  readonly #known = new Map<string, KnownFolder>();

  constructor(logger: Pick<Logger, 'warn'> | undefined) {
    this.#logger = logger;
  }

  of(projectPath: string): string {
    const known = this.#known.get(projectPath);
    if (known !== undefined && isStillSo(projectPath, known)) return known.appDir;
    const found = lookIn(projectPath);
    if (known?.appDir !== found.appDir) this.#warn(projectPath, found);
    this.#known.set(projectPath, { ...found, lookedAt: performance.now() });
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

interface KnownFolder extends Found {
  /** Milliseconds. */
  readonly lookedAt: number;
}

function isStillSo(projectPath: string, { appDir, knows, lookedAt }: KnownFolder): boolean {
  if (performance.now() - lookedAt < LOOK_EVERY_MS) return true;
  const isFirst = appDir === DEFAULT_APP_DIR || !isThere(join(projectPath, DEFAULT_APP_DIR));
  return knows && isFirst && isThere(join(projectPath, appDir));
}

const LOOK_EVERY_MS = 1000;

interface Found {
  readonly appDir: string;
  /** Whether it holds knowledge, and not merely a database or nothing. */
  readonly knows: boolean;
  /** The hidden folders that look like an application directory, `appDir` perhaps among them. */
  readonly found: readonly string[];
}

function lookIn(projectPath: string): Found {
  const folders = hiddenFolders(projectPath);
  const knowing = folders.filter((name) => holdsKnowledge(join(projectPath, name)));
  const stores = folders.filter((name) => isFile(join(projectPath, name, DATABASE_FILE)));
  const candidates = knowing.length > 0 ? knowing : stores;
  const [first = DEFAULT_APP_DIR] = candidates;
  return {
    appDir: candidates.includes(DEFAULT_APP_DIR) ? DEFAULT_APP_DIR : first,
    knows: knowing.length > 0,
    found: folders.filter((name) => knowing.includes(name) || stores.includes(name)),
  };
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

/** Features, memory, notes and the like, or settings of ours; a database alone can be rebuilt anywhere. */
export function holdsKnowledge(folder: string): boolean {
  if (KNOWLEDGE_FOLDERS.some((name) => hasMarkdown(join(folder, name)))) return true;
  if (hasOurSettings(folder)) return true;
  const features = featuresFolder(folder);
  return firstFolders(features).some((name) =>
    FEATURE_FILES.some((file) => isFile(join(features, name, file))),
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

const KNOWLEDGE_FOLDERS = ['memory', 'notes', 'urls', 'digests', 'documents'];

function hasMarkdown(folder: string): boolean {
  return entriesOf(folder).some((entry) => entry.isFile() && entry.name.endsWith('.md'));
}

function hasOurSettings(folder: string): boolean {
  try {
    const text = readOpened(folder, 'settings.json', (file) =>
      file.stats.size > SETTINGS_MAX_BYTES ? '' : bytesAt(file, 0, SETTINGS_MAX_BYTES).toString(),
    );
    return text !== undefined && 'knowledgeStore' in JSON.parse(text);
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  return entryAt(path)?.isFile() === true;
}

function isThere(path: string): boolean {
  return entryAt(path) !== undefined;
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
