import {
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser';
import { reasonOf } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';

export type Settings = Readonly<Record<string, unknown>>;

/** The new text of a file; undefined if it would not change. @throws Error that says why the text is not understood */
export type Edit = (text: string) => string | undefined;

/** A file with settings of another program, and how our entry is added and removed. */
export interface SettingsFile {
  readonly path: string;
  /** The project that the file belongs to: there, a folder that is a link could lead anywhere. */
  readonly folderOf?: string;
  /** Puts our entry in place of an older one. */
  readonly add: Edit;
  readonly remove: Edit;
}

/**
 * The new text of the file; undefined if it would not change.
 * @throws Error if it is no regular file, or is not understood; it stays as it is
 */
export function editedText({ path, ...edits }: SettingsFile, edit: 'add' | 'remove') {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) throw leftAlone(path, 'it is not a regular file');
  try {
    return edits[edit](stats === undefined ? '' : readFileSync(path, 'utf8'));
  } catch (error) {
    throw leftAlone(path, reasonOf(error));
  }
}

/** The files and folders that this program created for other programs, by their absolute paths. */
export interface CreatedPaths {
  has(path: string): boolean;
  add(path: string): void;
  delete(path: string): void;
}

/** Replaces the file, or creates it. One that this program created is removed when nothing is left in it, and so is its folder. */
export function writeSettings(
  { path, folderOf }: SettingsFile,
  text: string,
  created: CreatedPaths,
): void {
  const folder = dirname(path);
  const stats = folder === folderOf ? undefined : lstatSync(folder, { throwIfNoEntry: false });
  if (folderOf !== undefined && stats?.isSymbolicLink()) {
    throw leftAlone(path, 'its folder is a link');
  }
  if (['', '{}'].includes(text.replace(/\s/g, '')) && created.has(path)) {
    removeCreated(path, created);
    return;
  }
  for (const one of [folder, path]) {
    if (lstatSync(one, { throwIfNoEntry: false }) === undefined) created.add(one);
  }
  const temporary = `${path}.${process.pid}.tmp`;
  mkdirSync(folder, { recursive: true });
  try {
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
    writeFileSync(temporary, text, { flag: 'wx', mode });
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function removeCreated(path: string, created: CreatedPaths): void {
  rmSync(path, { force: true });
  created.delete(path);
  const folder = dirname(path);
  if (!created.has(folder)) return;
  try {
    rmdirSync(folder);
    created.delete(folder);
  } catch {
    // Something else is in it.
  }
}

function leftAlone(path: string, reason: string): Error {
  return new Error(`${path} was left as it is, because ${reason}.`);
}

/**
 * An edit of some entries of one object in a JSON file, whose comments, trailing commas and other entries stay as they are.
 * @param changesIn the new entries; an undefined one is removed, and so is an object that becomes empty
 */
export function editedJson(key: string, changesIn: (section: Settings) => Settings): Edit {
  return (text) => {
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    const json = text.slice(mark.length).trim() === '' ? '{}\n' : text.slice(mark.length);
    const { [key]: section = {} } = parsedJson(json);
    if (!isRecord(section)) throw new Error(`its key ${key} is not an object`);
    const changes = Object.entries(changesIn(section)).filter(
      ([name, value]) => !isDeepStrictEqual(section[name], value),
    );
    if (changes.length === 0) return undefined;
    const edited = { ...section, ...Object.fromEntries(changes) };
    const isEmpty = Object.values(edited).every((value) => value === undefined);
    const result = isEmpty
      ? withEntry(json, [key], undefined)
      : changes.reduce((made, [name, value]) => withEntry(made, [key, name], value), json);
    return mark + (json.endsWith('\n') ? `${result.trimEnd()}${lineEnd(json)}` : result);
  };
}

/** An undefined value removes the entry. */
function withEntry(json: string, path: string[], value: unknown): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: lineEnd(json) };
  return applyEdits(json, modify(json, path, value, { formattingOptions }));
}

/** The end of the lines of a text. */
export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Comments and trailing commas are allowed. @throws Error if it is not a JSON object */
export function parsedJson(text: string): Settings {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error('it is not JSON');
  if (isRecord(value)) return value;
  throw new Error('it is not a JSON object');
}

/** An edit of a text file: puts a line at its end unless it is there, or removes it; every other byte stays. */
export function editedLine(line: string): Pick<SettingsFile, 'add' | 'remove'> {
  const hasLine = (text: string) => text.split(/\r?\n/).includes(line);
  return {
    add: (text) => {
      if (hasLine(text)) return undefined;
      const end = lineEnd(text);
      const separator = text === '' || text.endsWith('\n') ? '' : end;
      return `${text}${separator}${line}${end}`;
    },
    remove: (text) => {
      if (!hasLine(text)) return undefined;
      const [before = '', after = ''] = text.split(line);
      return before + after.replace(/^\r?\n/, '');
    },
  };
}
