import type { LogFields, Logger } from '../../ports/driven/logger.js';
import { printableLine } from './text/format.js';

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export interface TerminalLoggerOptions {
  /** Messages below this level are left out. */
  readonly level: (typeof LEVELS)[number];
  readonly err: (text: string) => void;
}

/** Logs for a person: one line per message on standard error, with what the fields say. */
export function terminalLogger({ level, err }: TerminalLoggerOptions): Logger {
  const log = (own: (typeof LEVELS)[number]) => (message: string, fields?: LogFields) => {
    if (LEVELS.indexOf(own) < LEVELS.indexOf(level)) return;
    err(`${own === 'warn' ? 'warning' : own}: ${printableLine(message + detailsOf(fields))}\n`);
  };
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
}

function detailsOf(fields: LogFields = {}): string {
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${textOf(value)}`);
  return details.length === 0 ? '' : ` (${details.join(', ')})`;
}

function textOf(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
