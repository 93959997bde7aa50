import { pino } from 'pino';
import type { LogFields, Logger } from '../../ports/logger.js';

/** Logs JSON lines to standard error. Standard output is reserved for the one line that says "ready". */
export function createPinoLogger(level: string): Logger {
  const log = pino(
    { level, redact: ['apiKey', 'token', '*.apiKey', '*.token'] },
    pino.destination(2),
  );
  const at = (name: keyof Logger) => (message: string, fields?: LogFields) => {
    if (log.isLevelEnabled(name)) log[name](serializable(fields), message);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Renames `error` to `err`, the only key under which pino serializes errors. */
function serializable({ error, ...fields }: LogFields = {}): LogFields {
  return error === undefined ? fields : { ...fields, err: error };
}
