import { terminalLogger } from '../adapters/cli/terminal.js';
import { createPinoLogger } from '../adapters/system/pino-logger.js';
import type { Config } from '../app/config/config.js';
import type { Logger } from '../ports/logger.js';

/** On a terminal, the log is lines for people; JSON is for programs. */
export function createLogger({ logLevel: level }: Config): Logger {
  if (!process.stderr.isTTY) return createPinoLogger(level);
  return terminalLogger({ level, err: (text) => void process.stderr.write(text) });
}
