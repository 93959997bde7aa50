import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';

export type Settings = Readonly<Record<string, unknown>>;

/** A file with settings of another program, and how what is ours comes in and out. */
export interface SettingsFile {
  readonly path: string;
  /** The project that it belongs to: there, a folder that is a link could lead anywhere. */
  readonly folderOf?: string;
  /** The text with ours in place of what was ours before. @throws Error that says why the text is not understood */
  readonly add: (text: string) => string | undefined;
  /** The text without ours; undefined if there is nothing of it. @throws Error as `add` does */
  readonly remove: (text: string) => string | undefined;
}

/**
 * The text that the file is to have; undefined if it would stay as it is.
 * @throws Error for what is no regular file, and for what is not understood: neither is changed
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

/** An edit of one object in a JSON file; undefined leaves the file as it is, and an empty object goes. */
export function editedJson(key: string, edit: (section: Settings) => Settings | undefined) {
  return (text: string): string | undefined => {
    const { [key]: section = {}, ...others } = parsed(text);
    if (!isRecord(section)) throw new Error(`its key ${key} is not an object`);
    const edited = edit(section);
    if (edited === undefined) return undefined;
    const settings = Object.keys(edited).length === 0 ? others : { ...others, [key]: edited };
    return `${JSON.stringify(settings, null, 2)}\n`;
  };
}

function parsed(text: string): Settings {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
  if (isRecord(value)) return value;
  throw new Error('it is not a JSON object');
}

/** Replaces the file, or makes it. */
export function writeSettings({ path, folderOf }: SettingsFile, text: string): void {
  const folder = dirname(path);
  const stats = folder === folderOf ? undefined : lstatSync(folder, { throwIfNoEntry: false });
  if (folderOf !== undefined && stats?.isSymbolicLink()) {
    throw leftAlone(path, 'its folder is a link');
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

/** The TOML with the table, and every other byte as it was, in place of the one of that name if there is one. @throws Error if it is not TOML */
export function tomlWith(
  text: string,
  table: string,
  entries: Readonly<Record<string, string | readonly string[]>>,
): string {
  const rest = tomlWithout(text, table) ?? text;
  const lines = Object.entries(entries).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const before = rest.trim() === '' ? '' : `${rest.trimEnd()}\n\n`;
  return `${before}[${table}]\n${lines.join('\n')}\n`;
}

/** The text without the table and those below it; undefined if there is none. @throws Error if it is not TOML */
export function tomlWithout(text: string, table: string): string | undefined {
  const outline = outlineOf(text);
  const starts = [...outline.matchAll(/^[ \t]*\[/gm)].map(({ index }) => index);
  const [parent = ''] = table.split('.');
  const top = text.slice(0, starts[0]);
  if (new RegExp(`^\\s*["']?${parent}\\b`, 'm').test(outline.slice(0, top.length))) {
    throw new Error(`it sets ${parent} without a table`);
  }
  const tables = starts.map((start, i) => text.slice(start, starts[i + 1]));
  const kept = tables.filter((one) => !isOrIsBelow(nameOf(one), table));
  return kept.length === tables.length ? undefined : top + kept.join('');
}

/** What is between the brackets of a header, without spaces and quotes. */
function nameOf(table: string): string {
  return (/\[\[?([^\]\n]*)/.exec(table)?.[1] ?? '').replace(/["'\s]/g, '');
}

function isOrIsBelow(name: string, table: string): boolean {
  return name === table || name.startsWith(`${table}.`);
}

/**
 * The text with letters in place of strings, comments and lists, each as long as before: one line is one header or one
 * entry then.
 */
function outlineOf(text: string): string {
  const flat = text
    .replace(/^\uFEFF/, ' ')
    .replace(STRING_OR_COMMENT, (part) => (part[0] === '#' ? ' ' : 's').repeat(part.length));
  const outline = withoutLists(flat);
  if (outline.split('\n').every((line) => LINE.test(line))) return outline;
  throw new Error('it is not TOML');
}

const STRING_OR_COMMENT =
  /"""[\s\S]*?(?<!\\)"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*/g;

/** The innermost first. */
function withoutLists(text: string): string {
  const next = text.replace(LIST, (list, before: string) => before.padEnd(list.length, 's'));
  return next === text ? text : withoutLists(next);
}

const LIST = /([=,[{]\s*)(?:\[[\w\s.,:+-]*\]|\{[\w\s.,:+=-]*\})/g;

const KEY = String.raw`[\w-]+(?:[ \t]*\.[ \t]*[\w-]+)*`;
const LINE = new RegExp(
  String.raw`^\s*(?:\[\[?[ \t]*${KEY}[ \t]*\]\]?|${KEY}[ \t]*=[ \t]*[\w.:+-]+(?: \d[\w.:+-]*)?)?\s*$`,
);
