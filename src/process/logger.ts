import { createPinoLogger } from '../adapters/system/pino-logger.js';
import type { Config } from '../app/config/fields.js';
import type { Logger } from '../ports/logger.js';

/** Logs readable lines on a terminal, JSON elsewhere. */
export async function createLogger({ logLevel: level }: Config): Promise<Logger> {
  if (!process.stderr.isTTY) return createPinoLogger(level);
  const { terminalLogger } = await import('../adapters/cli/terminal.js');
  return terminalLogger({ level, err: (text) => void process.stderr.write(text) });
}
