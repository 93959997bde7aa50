import type { LogFields, Logger } from '../../src/ports/logger.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Writes nothing and remembers everything. */
export class SilentLogger implements Logger {
  readonly entries: LogEntry[] = [];

  debug(message: string, fields?: LogFields): void {
    this.#record('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#record('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#record('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#record('error', message, fields);
  }

  /** The messages of one level, oldest first. */
  messages(level: LogLevel): readonly string[] {
    return this.entries.filter((entry) => entry.level === level).map((entry) => entry.message);
  }

  #record(level: LogLevel, message: string, fields: LogFields = {}): void {
    this.entries.push({ level, message, fields });
  }
}
