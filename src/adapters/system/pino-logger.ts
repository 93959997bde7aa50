import { pino } from 'pino';
import type { LogFields, Logger } from '../../ports/driven/logger.js';

/** Logs as JSON lines on standard error; standard output is for the one line that says "ready". */
export function createPinoLogger(level: string): Logger {
  const log = pino(
    { level, redact: ['apiKey', 'token', '*.apiKey', '*.token'] },
    pino.destination(2),
  );
  return {
    debug: (message, fields) => log.debug(serializable(fields), message),
    info: (message, fields) => log.info(serializable(fields), message),
    warn: (message, fields) => log.warn(serializable(fields), message),
    error: (message, fields) => log.error(serializable(fields), message),
  };
}

/** pino serializes errors under `err`. */
function serializable({ error, ...fields }: LogFields = {}): LogFields {
  return error === undefined ? fields : { ...fields, err: error };
}
