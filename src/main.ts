#!/usr/bin/env node
import { HttpServer } from './adapters/http/server/http-server.js';
import type { Config } from './app/config/config.js';
import { readConfig } from './app/config/read-config.js';
import { USAGE } from './app/config/usage.js';
import { createService, type Service } from './app/wiring/container.js';
import { reasonOf } from './domain/errors.js';

/** The process: reads the environment, composes the service and serves HTTP until a signal ends it. */
async function main(): Promise<void> {
  const [argument] = process.argv.slice(2);
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(USAGE);
    return;
  }
  if (argument !== undefined) throw new Error(`Unknown argument "${argument}"; see --help.`);
  const config = readConfig(process.env);
  const service = createService(config);
  const server = serverOf(config, service);
  const url = await listen(server, config);
  stopOnSignal(server, service);
  process.stdout.write(`listening on ${url} (${config.variant})\n`);
}

function serverOf({ host, port, token, variant }: Config, service: Service): HttpServer {
  return new HttpServer({
    routes: service.routes,
    host,
    port,
    ...(token !== undefined && { token }),
    variant,
    logger: service.logger,
  });
}

/** @throws Error with one line that names both variables, one of which has a value that does not work */
async function listen(server: HttpServer, { host, port }: Config): Promise<string> {
  try {
    return await server.listen();
  } catch (cause) {
    throw new Error(
      `HOST=${JSON.stringify(host)} with PORT=${port} cannot be used: ${reasonOf(cause)}`,
      { cause },
    );
  }
}

/** The first signal stops gracefully; a second one exits at once, unless it comes within a second, when it is npm passing on the first. */
function stopOnSignal(server: HttpServer, service: Service): void {
  let stoppedAt: number | undefined;
  const stop = async () => {
    if (stoppedAt !== undefined) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppedAt = performance.now();
    const patience = setTimeout(() => service.stopWaiting(), LOCK_PATIENCE_MS);
    await server.close();
    clearTimeout(patience);
    await service.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop().catch(fail));
}

const SAME_SIGNAL_MS = 1000;
/** How long a request in flight still waits for a lock of another process. */
const LOCK_PATIENCE_MS = 2000;

function fail(error: unknown): never {
  process.stderr.write(`knowledge-store: ${reasonOf(error)}\n`);
  process.exit(1);
}

main().catch(fail);
