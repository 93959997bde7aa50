import { fileURLToPath } from 'node:url';
import { webPages } from '../adapters/http/console/web-pages.js';
import { HttpServer } from '../adapters/http/server/http-server.js';
import type { Monitor } from '../adapters/http/server/monitor.js';
import { mcpEndpoint } from '../adapters/mcp/server/http-endpoint.js';
import type { Config } from '../app/config/config.js';
import { type Environment, readConfig } from '../app/config/read-config.js';
import type { ServedService } from '../app/wiring/doors.js';
import { codeOf, reasonOf } from '../domain/errors.js';
import { createMonitoredService } from './monitored-service.js';
import { version } from './version.js';

/**
 * Runs the service: reads the environment, composes the service and serves HTTP until a signal ends the
 * process. Resolves when the service listens.
 * @throws Error with one line that names the variable that does not work
 */
export async function serve(env: Environment): Promise<void> {
  const config = readConfig(env);
  const { service, monitor } = await createMonitoredService(config);
  try {
    await checkStore(service);
    const server = await serverOf(config, service, monitor);
    const url = await listen(server, config);
    stopOnSignal(server, service, env);
    process.stdout.write(`listening on ${url} (${config.variant})\n`);
    if (process.stderr.isTTY) process.stderr.write(pagesLine(url, hasConsole(config, service)));
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Ends the process with one line on standard error. */
function fail(error: unknown): never {
  process.stderr.write(`knowledge-store: ${reasonOf(error)}\n`);
  process.exit(1);
}

function hasConsole({ console }: Config, service: ServedService): boolean {
  return service.hasConsole && console === 'served';
}

/** For a person, who does not know where to go on. */
function pagesLine(url: string, isConsoleServed: boolean): string {
  const api = `description of the API: ${url}/docs`;
  return isConsoleServed ? `console: ${url}/   ${api}\n` : `${api}\n`;
}

async function serverOf(
  config: Config,
  service: ServedService,
  monitor: Monitor,
): Promise<HttpServer> {
  const { host, port, allowedHosts, token, variant } = config;
  return new HttpServer({
    routes: service.routes,
    webPages: await webPages(WEB_PAGES, hasConsole(config, service) ? 'console' : 'docs'),
    endpoints: [mcpEndpoint({ ...service, directory: process.cwd(), version })],
    host,
    port,
    allowedHosts,
    ...(token !== undefined && { token }),
    variant,
    logger: service.logger,
    monitor,
  });
}

/** Where `npm run build` puts it. */
const WEB_PAGES = fileURLToPath(new URL('../console', import.meta.url));

/** @throws Error with one line that names the variable and says why its store cannot be used */
async function checkStore({ checkStore: check }: ServedService): Promise<void> {
  try {
    await check();
  } catch (cause) {
    throw new Error(`KNOWLEDGE_STORE cannot be used: ${reasonOf(cause)}`, { cause });
  }
}

/** @throws Error with one line that names both variables, one of which has a value that does not work */
async function listen(server: HttpServer, { host, port }: Config): Promise<string> {
  try {
    return await server.listen();
  } catch (cause) {
    const isTaken = codeOf(cause) === 'EADDRINUSE';
    const reason = isTaken
      ? 'another program listens there; choose another port.'
      : reasonOf(cause);
    throw new Error(`HOST=${JSON.stringify(host)} with PORT=${port} cannot be used: ${reason}`, {
      cause,
    });
  }
}

/**
 * The first signal stops gracefully; a second one exits at once, unless it comes within a second, when it is
 * npm passing on the first. The end of an npm that was killed, and could pass nothing on, counts as a signal.
 */
function stopOnSignal(server: HttpServer, service: ServedService, env: Environment): void {
  let stoppedAt: number | undefined;
  const stop = async () => {
    if (stoppedAt !== undefined) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppedAt = performance.now();
    const timer = setTimeout(() => void service.stop(), PATIENCE_MS);
    await server.close();
    clearTimeout(timer);
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
/** How long a request in flight may still take: whatever it does or waits for then ends within the 10 seconds of the whole stop. */
const PATIENCE_MS = 3000;
