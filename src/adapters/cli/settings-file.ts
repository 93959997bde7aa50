import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, type ParseError, parse } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { reasonOf } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';

export type Settings = Readonly<Record<string, unknown>>;

/** A file with settings of another program, and how our entry is added and removed. */
export interface SettingsFile {
  readonly path: string;
  /** The project that the file belongs to: there, a folder that is a link could lead anywhere. */
  readonly folderOf?: string;
  /** The text with our entry, in place of an older one. @throws Error that says why the text is not understood */
  readonly add: (text: string) => string | undefined;
  /** The text without our entry; undefined if it has none. @throws Error as `add` does */
  readonly remove: (text: string) => string | undefined;
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

/** Replaces the file, or creates it; one that would say nothing is removed. */
export function writeSettings({ path, folderOf }: SettingsFile, text: string): void {
  const folder = dirname(path);
  const stats = folder === folderOf ? undefined : lstatSync(folder, { throwIfNoEntry: false });
  if (folderOf !== undefined && stats?.isSymbolicLink()) {
    throw leftAlone(path, 'its folder is a link');
  }
  if (['', '{}'].includes(text.replace(/\s/g, ''))) {
    rmSync(path, { force: true });
    return;
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

function leftAlone(path: string, reason: string): Error {
  return new Error(`${path} was left as it is, because ${reason}.`);
}

/**
 * An edit of the entries of one object in a JSON file, whose comments, trailing commas and other entries stay as they are.
 * An edit that returns undefined changes nothing; an object that becomes empty is removed.
 */
export function editedJson(key: string, edit: (section: Settings) => Settings | undefined) {
  return (text: string): string | undefined => {
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    const json = text.slice(mark.length).trim() === '' ? '{}\n' : text.slice(mark.length);
    const { [key]: section = {} } = parsedJson(json);
    if (!isRecord(section)) throw new Error(`its key ${key} is not an object`);
    const edited = edit(section);
    if (edited === undefined) return undefined;
    const isEmpty = Object.keys(edited).length === 0;
    const result = isEmpty
      ? withEntry(json, [key], undefined)
      : withEntries(json, key, { section, edited });
    return mark + (json.endsWith('\n') ? `${result.trimEnd()}\n` : result);
  };
}

function withEntries(
  json: string,
  key: string,
  { section, edited }: { readonly section: Settings; readonly edited: Settings },
): string {
  const names = Object.keys({ ...section, ...edited });
  const changed = names.filter((name) => !isDeepStrictEqual(section[name], edited[name]));
  return changed.reduce((text, name) => withEntry(text, [key, name], edited[name]), json);
}

/** An undefined value removes the entry. */
function withEntry(json: string, path: string[], value: unknown): string {
  const eol = json.includes('\r\n') ? '\r\n' : '\n';
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol };
  return applyEdits(json, modify(json, path, value, { formattingOptions }));
}

function parsedJson(text: string): Settings {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error('it is not JSON');
  if (isRecord(value)) return value;
  throw new Error('it is not a JSON object');
}

/**
 * The TOML with a table at its end, in place of an older one of that name; every other byte stays.
 * @throws Error if the text is not TOML, or the table cannot be added to it
 */
export function tomlWith(text: string, table: string, entries: Settings): string {
  const rest = tomlWithout(text, table) ?? text;
  const before = rest.trim() === '' ? '' : `${rest.trimEnd()}\n\n`;
  const lines = Object.entries(entries).map(([key, value]) => `${key} = ${tomlValue(value)}\n`);
  const added = `${before}[${table}]\n${lines.join('')}`;
  const [parent = ''] = table.split('.');
  parsedToml(added, `it sets ${parent} without a table`);
  return added;
}

/** JSON is TOML for texts and lists. */
function tomlValue(value: unknown): string {
  if (!isRecord(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${key} = ${tomlValue(one)}`);
  return `{ ${entries.join(', ')} }`;
}

/** The text without the table and those below it; undefined if the table does not exist. @throws Error if it is not TOML */
export function tomlWithout(text: string, table: string): string | undefined {
  const [parent = '', name = ''] = table.split('.');
  const { [parent]: tables, ...others } = parsedToml(text);
  if (!isRecord(tables) || !(name in tables)) return undefined;
  const { [name]: _, ...siblings } = tables;
  const sections = text.split(/^(?=[ \t]*\[)/m);
  const kept = sections.filter((section) => !isOrIsBelow(nameOf(section), table)).join('');
  const { [parent]: left = {}, ...same } = parsedToml(kept, NOT_A_TABLE);
  if (isDeepStrictEqual([left, same], [siblings, others])) return kept;
  throw new Error(NOT_A_TABLE);
}

const NOT_A_TABLE = 'its entry is not a table of its own, which could be removed';

function parsedToml(text: string, reason = 'it is not TOML'): Settings {
  try {
    return parseToml(text.replace(/^\uFEFF/, ''), { integersAsBigInt: true });
  } catch {
    throw new Error(reason);
  }
}

/** What is between the brackets of a header, without spaces and quotes. */
function nameOf(section: string): string {
  return (/^[ \t]*\[\[?([^\]\n]*)/.exec(section)?.[1] ?? '').replace(/["'\s]/g, '');
}

function isOrIsBelow(name: string, table: string): boolean {
  return name === table || name.startsWith(`${table}.`);
}
