import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRecord } from '../../domain/records.js';

/** Reads and writes the settings of other programs, and leaves alone what it does not understand. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * Replaces a file, or makes it.
 * @param project where the file must be in, if anywhere
 * @throws Error where a folder of the project is a link, which could lead anywhere
 */
export function writeSettings(path: string, text: string, project: string | undefined): void {
  if (project !== undefined) checkFolder(path, project);
  replaceFile(path, text);
}

export function jsonOf(settings: Settings): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** @throws Error where the file is not what the agent's settings look like */
export function settingsIn(path: string, key: string): Settings {
  const text = textOf(path);
  if (text === undefined || text.trim() === '') return {};
  const value = parsed(text, path);
  if (!isRecord(value)) throw leftAlone(path, 'it is not a JSON object');
  if (value[key] !== undefined && !isRecord(value[key])) {
    throw leftAlone(path, `its key ${key} is not an object`);
  }
  return value;
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw leftAlone(path, 'it is not JSON');
  }
}

export function leftAlone(path: string, reason: string): Error {
  return new Error(`${path} was left as it is, because ${reason}.`);
}

/** @throws Error for what is no regular file: a project may hold a link in its place. */
export function textOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw leftAlone(path, 'it is not a regular file');
  return readFileSync(path, 'utf8');
}

function checkFolder(path: string, project: string): void {
  const folder = dirname(path);
  const isLink =
    folder !== project && lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink();
  if (isLink) throw leftAlone(path, 'its folder is a link');
}

function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
    writeFileSync(temporary, text, { flag: 'wx', mode });
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
