/**
 * The files and folders in the application directory `appDir` of a project. Paths are relative to the
 * project and use `/`.
 */

import { parentFolder } from './paths.js';

const REFLECTION_FILE = 'reflection.md';
const AGENT_OUTPUT_FILE = 'agent-output.md';
const FEATURE_FILE = 'feature.json';

/** Any of these files marks a folder as a feature. */
export const FEATURE_FILES = [FEATURE_FILE, REFLECTION_FILE, AGENT_OUTPUT_FILE] as const;

/** The default application directory. */
export const DEFAULT_APP_DIR = '.knowledge';

export function featuresFolder(appDir: string): string {
  return `${appDir}/features`;
}

export function reflectionPath(appDir: string, featureId: string): string {
  return joinNames(featuresFolder(appDir), featureId, REFLECTION_FILE);
}

export function agentOutputPath(appDir: string, featureId: string): string {
  return joinNames(featuresFolder(appDir), featureId, AGENT_OUTPUT_FILE);
}

export function featurePath(appDir: string, featureId: string): string {
  return joinNames(featuresFolder(appDir), featureId, FEATURE_FILE);
}

/** Makes a flat string: one built with `+` keeps its pieces, which takes five times the memory for 100,000 paths. */
function joinNames(...names: readonly string[]): string {
  return names.join('/');
}

export function sourcesOfFeature(appDir: string, featureId: string): readonly string[] {
  return [reflectionPath(appDir, featureId), agentOutputPath(appDir, featureId)];
}

/** The feature that a source file belongs to; undefined for any other file. */
export function featureOfSource(appDir: string, sourceFile: string): string | undefined {
  const prefix = `${featuresFolder(appDir)}/`;
  if (!sourceFile.startsWith(prefix)) return undefined;
  const [id, name, ...deeper] = sourceFile.slice(prefix.length).split('/');
  const isSource = name === REFLECTION_FILE || name === AGENT_OUTPUT_FILE;
  return isSource && deeper.length === 0 ? id : undefined;
}

/** The source types that the service writes itself, each into its own folder. */
export const SAVED_TYPES = ['manual', 'url', 'generated', 'file'] as const;
export type SavedType = (typeof SAVED_TYPES)[number];

/** A source saved as a file: a note, a web page, a digest or a document. */
export interface SavedFile {
  readonly sourceType: SavedType;
  /**
   * File name without `.md`. For a note, its path below the folder, with an extension such as `.MD`; for a document,
   * its path with extension.
   */
  readonly name: string;
}

/**
 * Regardless of patterns, every `.md` file directly in this folder is a source of this type; for notes, at any depth;
 * for documents, every file.
 */
export function savedFolder(appDir: string, type: SavedType): string {
  return `${appDir}/${SAVED_FOLDERS[type]}`;
}

export function savedPath(appDir: string, { sourceType, name }: SavedFile): string {
  const isWhole = sourceType === 'file' || (sourceType === 'manual' && UPPER_ENDING.test(name));
  return `${savedFolder(appDir, sourceType)}/${name}${isWhole ? '' : '.md'}`;
}

/** The folders of the application directory whose files are sources, regardless of patterns. */
export function ownFolders(appDir: string): readonly string[] {
  const saved = SAVED_TYPES.map((type) => savedFolder(appDir, type));
  return [featuresFolder(appDir), memoryFolder(appDir), sessionsFolder(appDir), ...saved];
}

/** The folders into which the service writes. */
export function writtenFolders(appDir: string): readonly string[] {
  return ownFolders(appDir).filter((folder) => folder !== featuresFolder(appDir));
}

/** The saved file at a path; undefined for any other file. */
export function savedFileAt(appDir: string, sourceFile: string): SavedFile | undefined {
  for (const sourceType of SAVED_TYPES) {
    const prefix = `${savedFolder(appDir, sourceType)}/`;
    if (!sourceFile.startsWith(prefix)) continue;
    const [whole, name = whole] =
      SAVED_NAMES[sourceType].exec(sourceFile.slice(prefix.length)) ?? [];
    return name === undefined ? undefined : { sourceType, name };
  }
  return undefined;
}

export function memoryFolder(appDir: string): string {
  return `${appDir}/memory`;
}

export function categoryPath(appDir: string, category: string): string {
  return `${memoryFolder(appDir)}/${category}.md`;
}

/** True if the name begins with a letter or digit, which excludes `_index`. */
export function isCategoryDocument(name: string): boolean {
  return /^[\p{L}\p{N}]/u.test(name);
}

/** The names, without `.md`, of the markdown files in a folder. */
export function documentNames(fileNames: readonly string[]): readonly string[] {
  return fileNames.flatMap((name) => /^(.+)\.md$/s.exec(name)?.[1] ?? []);
}

/** Whether a path is in the memory folder, to which include and exclude patterns do not apply. */
export function isMemoryPath(appDir: string, path: string): boolean {
  return path.startsWith(`${memoryFolder(appDir)}/`);
}

/** Where replaced texts of categories are kept. */
export function historyFolder(appDir: string): string {
  return `${memoryFolder(appDir)}/.history`;
}

export function settingsPath(appDir: string): string {
  return `${appDir}/settings.json`;
}

const SAVED_FOLDERS: Readonly<Record<SavedType, string>> = {
  manual: 'notes',
  url: 'urls',
  generated: 'digests',
  file: 'documents',
};

const SESSIONS_FOLDER = 'sessions';

const OWN_FOLDERS: ReadonlySet<string> = new Set([
  'memory',
  SESSIONS_FOLDER,
  ...Object.values(SAVED_FOLDERS),
]);

const UPPER_ENDING = /\.(?:MD|Md|mD)$/;
const MARKDOWN_NAME = /^([^/]+)\.md$/;
const SAVED_NAMES: Readonly<Record<SavedType, RegExp>> = {
  manual: /^(?:((?:[^./][^/]*\/)*[^./][^/]*)\.md|(?:[^./][^/]*\/)*[^./][^/]*\.(?:MD|Md|mD))$/,
  url: MARKDOWN_NAME,
  generated: MARKDOWN_NAME,
  file: /^([^./][^/]*(?:\/[^./][^/]*)*)$/,
};

/**
 * The part of a path that somebody chose: without the folders of this layout for a source in the application directory,
 * and the feature id for a file of a feature.
 */
export function namedPath(sourceFile: string): string {
  const [, folder = '', rest = ''] = /^\.[^/]+\/([^/]+)\/(.+)/s.exec(sourceFile) ?? [];
  if (folder === 'features') return parentFolder(rest) || rest;
  return OWN_FOLDERS.has(folder) ? rest : sourceFile;
}

/** Agent conversations, one readable file per session. Ignored by git. */
export function sessionsFolder(appDir: string): string {
  return `${appDir}/${SESSIONS_FOLDER}`;
}

export function sessionPath(appDir: string, name: string): string {
  return `${sessionsFolder(appDir)}/${name}.md`;
}

/** Lists the sessions whose files a person deleted, one id per line. */
export function removedSessionsPath(appDir: string): string {
  return `${sessionsFolder(appDir)}/.removed`;
}

export function isSessionPath(appDir: string, path: string): boolean {
  const prefix = `${sessionsFolder(appDir)}/`;
  return path.startsWith(prefix) && MARKDOWN_NAME.test(path.slice(prefix.length));
}

/** The key of the project in a store shared by several machines. */
export function projectKeyPath(appDir: string): string {
  return `${appDir}/${PROJECT_KEY_FILE}`;
}

/** Relative to the application directory. */
export const PROJECT_KEY_FILE = 'project-key';

/** Relative to the application directory. */
export const DATABASE_FILE = 'knowledge.db';
