import type { Logger } from '../../ports/driven/logger.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import type { Counted, FromWorker } from './messages.js';
import { toPlainError } from './plain-error.js';

/** Sends a message from a worker to the service, if that is still there. */
export function send(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** A log whose lines are written by the service. */
export function sentLog(): Logger {
  const write =
    (level: keyof Logger): Logger['info'] =>
    (message, fields = {}) =>
      send({ kind: 'log', level, message, fields: plain(fields) });
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}

/**
 * Metrics that are counted by the service. They are collected in `counted` and sent with the next result or sign of life,
 * because a message of their own takes as long as a short search.
 */
export function collectedMetrics(counted: Counted[]): Metrics {
  const count =
    (name: keyof Metrics) =>
    (...args: readonly unknown[]) => {
      counted.push({ name, args });
    };
  return {
    searched: count('searched'),
    answered: count('answered'),
    modelCalled: count('modelCalled'),
    retried: count('retried'),
    embeddingWaits: count('embeddingWaits'),
    embedded: count('embedded'),
  };
}

/** Errors among the fields become text, because a message to another process loses their classes. */
function plain(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(
    JSON.stringify(fields, (_, value) => (value instanceof Error ? toPlainError(value) : value)),
  );
}
