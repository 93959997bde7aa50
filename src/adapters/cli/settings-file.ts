import { isUtf8 } from 'node:buffer';
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
import { type ParseError, parse } from 'jsonc-parser';
import { errorReason, writeFailure } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';

export type Entries = Readonly<Record<string, unknown>>;

/**
 * Returns the new text of a file; undefined if it would not change.
 * @param ownsSection whether this program added the object that holds its entry
 * @throws Error that says why the text cannot be parsed
 */
export type Edit = (text: string, ownsSection?: boolean) => string | undefined;

/** A settings file of another program, and the edits that add and remove our part. */
export interface SettingsFile {
  readonly path: string;
  /** What our part of the file is called in messages. */
  readonly part: 'entry' | 'hooks' | 'instruction';
  /** The project that the file belongs to. Its folder must not be a link, which could lead out of the project. */
  readonly folderOf?: string;
  /** In JSON, the object that holds our entry. */
  readonly section?: string;
  /** Adds our entry, or replaces an older one. */
  readonly add: Edit;
  readonly remove: Edit;
}

/** @throws Error if `applyEdit` would fail, as far as this can be told without writing */
export function checkEdit(file: SettingsFile, edit: 'add' | 'remove', created: CreatedPaths): void {
  if (readAndEdit(file, edit, created).after !== undefined) checkFolder(file);
}

function checkFolder({ path, folderOf }: SettingsFile): void {
  const folder = dirname(path);
  if (folderOf === undefined || folder === folderOf) return;
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw leftAloneError(path, 'its folder is a link');
}

interface Texts {
  readonly before: string;
  /** Undefined if the text would not change. */
  readonly after: string | undefined;
}

/**
 * Returns the text of the file before and after an edit, without writing it.
 * @throws Error if the file is not a regular file or cannot be parsed; it stays as it is
 */
export function readAndEdit(
  { path, section, ...edits }: SettingsFile,
  edit: 'add' | 'remove',
  created?: CreatedPaths,
): Texts {
  const wasEmpty = created?.has(sectionMark(path)) === true;
  const isOwn = wasEmpty || created?.has(path) || created?.has(sectionMark(path, section));
  try {
    const before = readText(path);
    const after = edits[edit](before, isOwn ?? true);
    return { before, after: wasEmpty && after !== undefined && isEmptied(after) ? '' : after };
  } catch (error) {
    throw leftAloneError(path, errorReason(error));
  }
}

/** Empty if there is no file. @throws Error if it is not a regular file, or is not UTF-8 */
function readText(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return '';
  if (!stats.isFile()) throw new Error('it is not a regular file');
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) throw new Error('it is not encoded as UTF-8');
  return bytes.toString('utf8');
}

/**
 * The key in {@link CreatedPaths} that records that this program added an object to an existing file. Without a name,
 * it records that the file was empty.
 */
function sectionMark(path: string, section = ''): string {
  return `${path}#${section}`;
}

/**
 * Edits the file. Returns false if nothing changes.
 * @throws Error as `readAndEdit` does, or if the file cannot be written
 */
export function applyEdit(
  file: SettingsFile,
  edit: 'add' | 'remove',
  created: CreatedPaths,
): boolean {
  const { before, after } = readAndEdit(file, edit, created);
  if (after === undefined) return false;
  checkFolder(file);
  const { path, section } = file;
  const addsSection = section !== undefined && edit === 'add' && !hasSection(before, section);
  writeSettings(file, after, created);
  if (addsSection && !created.has(path)) {
    created.add(sectionMark(path, before === '' ? undefined : section));
  }
  if (edit === 'remove') for (const name of ['', section]) created.delete(sectionMark(path, name));
  return true;
}

function hasSection(text: string, section: string): boolean {
  return parseJson(splitMark(text).json)[section] !== undefined;
}

/** Files and folders that this program created for other programs, by absolute path, and keys of `sectionMark`. */
export interface CreatedPaths {
  has(path: string): boolean;
  add(path: string): void;
  delete(path: string): void;
}

/** Whether the file is deleted instead of written: this program created it, and the edit leaves nothing in it. */
export function becomesDeleted(path: string, text: string, created: CreatedPaths): boolean {
  return isEmptied(text) && created.has(path);
}

function isEmptied(text: string): boolean {
  return ['', '{}'].includes(text.replace(/\s/g, ''));
}

/**
 * Replaces or creates the file. Removes a file that this program created once nothing is left in it, and then its
 * folder too if this program created that.
 */
function writeSettings({ path }: SettingsFile, text: string, created: CreatedPaths): void {
  const folder = dirname(path);
  if (becomesDeleted(path, text, created)) {
    removeCreated(path, created);
    return;
  }
  for (const one of [folder, path]) {
    if (lstatSync(one, { throwIfNoEntry: false }) === undefined) created.add(one);
  }
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(folder, { recursive: true });
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
    writeFileSync(temporary, text, { flag: 'wx', mode });
    renameSync(temporary, path);
  } catch (error) {
    throw new Error(`${path} cannot be written: ${writeFailure(error, folder)}.`, { cause: error });
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
    // The folder has other contents.
  }
}

function leftAloneError(path: string, reason: string): Error {
  return new Error(`${path} was left as it is, because ${reason}.`);
}

/** Separates the byte-order mark of a file from its JSON. An empty file counts as an empty object. */
export function splitMark(text: string): { readonly mark: string; readonly json: string } {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const json = text.slice(mark.length);
  return { mark, json: json.trim() === '' ? '{}\n' : json };
}

/** Parses a JSON object, in which comments and trailing commas are allowed. @throws Error if it is not one */
export function parseJson(text: string): Entries {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new Error('it is not JSON');
  if (isRecord(value)) return value;
  throw new Error('it is not a JSON object');
}
