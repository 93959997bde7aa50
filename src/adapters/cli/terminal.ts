import { writeSync } from 'node:fs';
import type { LogFields, Logger } from '../../ports/logger.js';
import type { InputLimits } from './read-input.js';
import { printableLine } from './text/format.js';

/** The streams of a command and their capabilities. */
export interface Terminal {
  /** Writes to standard output: the result of the command and nothing else. */
  out(text: string): void;
  /** Writes to standard error: progress, notes and errors. */
  err(text: string): void;
  /** Width of standard output in columns. */
  readonly columns: number;
  /** Whether each stream shows colors. */
  readonly colors: { readonly out: boolean; readonly err: boolean };
  /** Whether standard error is a terminal on which a line can be rewritten. */
  readonly showsProgress: boolean;
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
  /** Asks for yes or no; only where `isInteractive`. */
  confirm(question: string): Promise<boolean>;
  /** Reads all of standard input. @throws Error if it does not end in time, is too large or is not UTF-8 */
  readInput(limits?: InputLimits): Promise<string>;
}

/**
 * The terminal of this process. If the reader of the output stops, as `head` does, the process exits silently with 0.
 * After any other write error, such as a full disk, it prints one sentence and exits with 1.
 */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) stream.on('error', endQuietly);
  const allowsColors = !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const forcesColors = Boolean(env['FORCE_COLOR']) && env['FORCE_COLOR'] !== '0';
  const hasColors = (stream: NodeJS.WriteStream) =>
    allowsColors && (stream.isTTY === true || forcesColors);
  return {
    out: (content) => void stdout.write(content),
    err: (content) => void stderr.write(content),
    columns: Math.max(
      MIN_COLUMNS,
      stdout.columns ?? parseColumns(env['COLUMNS']) ?? DEFAULT_COLUMNS,
    ),
    colors: { out: hasColors(stdout), err: hasColors(stderr) },
    showsProgress: stderr.isTTY === true && env['TERM'] !== 'dumb',
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    confirm: async (question) => {
      const { createInterface } = await import('node:readline/promises');
      const lines = createInterface({ input: stdin, output: stderr });
      const answer = await lines.question(`${question} [y/N] `).finally(() => lines.close());
      return /^y(es)?$/i.test(answer.trim());
    },
    readInput: async (limits) => (await import('./read-input.js')).readInput(stdin, limits),
  };
}

const DEFAULT_COLUMNS = 100;
const MIN_COLUMNS = 40;

/** The width that a shell exports in `COLUMNS`, which is used if standard output is not a terminal. */
function parseColumns(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  try {
    writeSync(2, `knowledge-store: The output cannot be written: ${error.message}.\n`);
  } catch {
    // Standard error itself is broken.
  }
  process.exit(1);
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

interface TerminalLoggerOptions {
  /** Messages below this level are left out. */
  readonly level: (typeof LEVELS)[number];
  readonly err: (text: string) => void;
}

/** Logs for a person: one line per message on standard error, with its fields. */
export function terminalLogger({ level, err }: TerminalLoggerOptions): Logger {
  const log = (own: (typeof LEVELS)[number]) => (message: string, fields?: LogFields) => {
    if (LEVELS.indexOf(own) < LEVELS.indexOf(level)) return;
    err(`${own === 'warn' ? 'warning' : own}: ${printableLine(message + formatDetails(fields))}\n`);
  };
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
}

function formatDetails(fields: LogFields = {}): string {
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${formatValue(value)}`);
  return details.length === 0 ? '' : ` (${details.join(', ')})`;
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
