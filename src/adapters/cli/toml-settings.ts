import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { isRecord } from '../../domain/records.js';
import { lineEnding } from './line-edit.js';
import type { Edit, Entries } from './settings-file.js';

/** An edit of a TOML file that appends a table, in place of an older one, or removes it; every other byte stays. */
export function editToml(table: string, entries: Entries | undefined): Edit {
  return (text) => {
    const others = withoutTable(text, table);
    const edited =
      entries === undefined ? withoutLastBlank(others, text) : withTable(others, table, entries);
    return edited === text ? undefined : edited;
  };
}

/**
 * Removes the blank line that `withTable` put before our table, if the table was the last. If the file does not end
 * with a line ending, it did not have one before our table either.
 */
function withoutLastBlank(others: string, text: string): string {
  if (others === text || !text.startsWith(others)) return others;
  return text.endsWith('\n') ? others.replace(/(\r?\n)\r?\n$/, '$1') : others.trimEnd();
}

function withTable(others: string, table: string, entries: Entries): string {
  const end = lineEnding(others);
  const values = Object.entries(entries).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  const lines = [`[${table}]`, ...values];
  const isEnded = others === '' || others.endsWith('\n');
  const before = others === '' ? '' : isEnded ? end : `${end}${end}`;
  const added = `${others}${before}${lines.join(end)}${isEnded ? end : ''}`;
  readToml(added);
  return added;
}

/**
 * Returns the text without the table and its subtables.
 * @throws Error if anything else would be lost, or the entry has another form
 */
function withoutTable(text: string, table: string): string {
  const sections = text.split(/^(?=[ \t]*\[)/m).filter((section) => !belongsTo(table, section));
  const others = sections.join('');
  const [parent = '', name = ''] = table.split('.');
  const { [parent]: tables = {}, ...before } = readToml(text);
  const { [parent]: left = {}, ...after } = readToml(others);
  const { [name]: _, ...siblings } = isRecord(tables) ? tables : { [parent]: tables };
  if (isDeepStrictEqual([left, after], [siblings, before])) return others;
  throw new Error(NOT_OURS);
}

/** Whether the header of a section names the table or one of its subtables. */
function belongsTo(table: string, section: string): boolean {
  const [, header = ''] = /^[ \t]*\[\[?([^\]\n]*)/.exec(section) ?? [];
  return `${header.replace(/["'\s]/g, '')}.`.startsWith(`${table}.`);
}

/** For strings and lists, JSON is valid TOML. */
function tomlValue(value: unknown): string {
  if (!isRecord(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${key} = ${tomlValue(one)}`);
  return `{ ${entries.join(', ')} }`;
}

const NOT_OURS = 'it is not TOML, or has the entry in another form';

/** @throws Error if it is not TOML */
export function readToml(text: string): Entries {
  try {
    return parseToml(text.replace(/^\uFEFF/, ''), { integersAsBigInt: true });
  } catch {
    throw new Error(NOT_OURS);
  }
}
