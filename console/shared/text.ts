/** Formats numbers, times and names for people. */

import { SOURCE_TYPES, type SourceType } from '../../src/domain/chunks/chunk.js';

const grouped = new Intl.NumberFormat('en');

export function count(number: number, one: string, many = `${one}s`): string {
  return `${grouped.format(number)} ${number === 1 ? one : many}`;
}

export function figure(number: number): string {
  return grouped.format(number);
}

export function decimal(number: number, digits = 2): string {
  return number.toFixed(digits).replace(/^(-?)0\./, '$1.');
}

export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(size / 1000 ** power)} ${units[power]}`;
}

export function day(time: string): string {
  return time.slice(0, 10);
}

export function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

/** How long ago something happened, in the largest suitable unit. */
export function age(time: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(time)) / 1000);
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? [];
  if (unit === undefined || size === undefined) return 'just now';
  return relative.format(-Math.floor(seconds / size), unit);
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

export function times(number: number): string {
  return number === 1 ? 'once' : `${figure(number)} times`;
}

/** The display name of a source type. */
export function typeName(type: string): string {
  const known = SOURCE_TYPES.find((one) => one === type);
  return known === undefined ? type : TYPE_NAMES[known];
}

const TYPE_NAMES: Readonly<Record<SourceType, string>> = {
  file: 'File',
  reflection: 'Reflection',
  agent_output: 'Agent output',
  url: 'Web page',
  manual: 'Note',
  generated: 'Digest',
};

/** Quotes an argument for a POSIX shell. Between single quotes, everything but a single quote stands for itself. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
