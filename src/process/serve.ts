import { hasConsole } from '../app/config/config.js';
import type { Config } from '../app/config/fields.js';
import { type Environment, readConfig } from '../app/config/read-config.js';
import { errorReason } from '../domain/errors.js';
import type { RunningService } from './http-service.js';

/**
 * Runs the service until a signal ends the process. Resolves when it is listening.
 * @throws Error with one line that names the faulty variable
 */
export async function serve(env: Environment): Promise<void> {
  const config = readConfig(env);
  const service = await start(config, env);
  stopOnSignal(service, env);
  process.stdout.write(`listening on ${service.url} (${config.variant})\n`);
  if (process.stderr.isTTY) process.stderr.write(pagesLine(service.url, config));
}

/** Starts the service. Loads modules as needed, because the primary does not use those of its workers. */
async function start(config: Config, env: Environment): Promise<RunningService> {
  if (config.workers > 0) return (await import('./workers.js')).startWorkers(config, env);
  return (await import('./http-service.js')).startHttpService(config);
}

/** Ends the process with one line on standard error. */
function fail(error: unknown): never {
  process.stderr.write(`knowledge-store: ${errorReason(error)}\n`);
  process.exit(1);
}

/** The line that shows the addresses of the web pages. */
function pagesLine(url: string, config: Config): string {
  const api = `API documentation: ${url}/docs`;
  return hasConsole(config) ? `console: ${url}/   ${api}\n` : `${api}\n`;
}

/**
 * The first signal stops the service gracefully. A second one exits at once, but is ignored within a second, because
 * npm forwards the first. If npm is killed and cannot forward a signal, its end counts as a signal.
 */
function stopOnSignal(service: RunningService, env: Environment): void {
  let stoppedAt: number | undefined;
  const stop = async () => {
    if (stoppedAt !== undefined) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppedAt = performance.now();
    await service.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop().catch(fail));
  if (env['npm_lifecycle_event'] === 'start') whenOrphaned(() => stop().catch(fail));
}

function whenOrphaned(callback: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    callback();
  }, PARENT_CHECK_MS).unref();
}

const PARENT_CHECK_MS = 500;

const SAME_SIGNAL_MS = 1000;
