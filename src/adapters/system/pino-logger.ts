import { pino } from 'pino';
import type { LogFields, Logger } from '../../ports/logger.js';

/** Logs as JSON lines on standard error; standard output is for the one line that says "ready". */
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

/** pino serializes errors under `err`. */
function serializable({ error, ...fields }: LogFields = {}): LogFields {
  return error === undefined ? fields : { ...fields, err: error };
}
