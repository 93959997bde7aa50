import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { Supervisor } from '../../adapters/cluster/supervisor.js';
import { createPinoLogger } from '../../adapters/system/pino-logger.js';
import { systemClock } from '../../adapters/system/system-clock.js';
import type { Config } from '../../app/config/fields.js';
import { type Environment, readConfig } from '../../app/config/read-config.js';
import { createEmbedder } from '../../app/wiring/embedder.js';
import { errorReason } from '../../domain/errors.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import { WITH_MODEL } from './exchange.js';
import { rotateLog } from './log.js';
import { dataFolder, findPlace, type ServicePlace } from './place.js';

const logger = createPinoLogger('info');

/** Owns the socket and supervises the single worker until the service is no longer needed. */
export async function runLocalService(): Promise<void> {
  try {
    await serve(findPlace(process.env, 'made'));
  } catch (error) {
    logger.error('The local service could not start.', { reason: errorReason(error) });
    process.exit(1);
  }
}

async function serve(place: ServicePlace): Promise<void> {
  const env = workerEnvironment(process.env, place);
  const config = readConfig(env);
  const embedder = createEmbedder(config, { clock: systemClock, logger });
  const supervisor = supervise(config, { env, embedder });
  const server = createServer({ pauseOnConnect: true }, (socket) => supervisor.accept(socket));
  const inode = await listen(server, place);
  const stop = async () => {
    if (ownsSocket(place, inode)) rmSync(place.socket, { force: true });
    server.close();
    await supervisor.stop();
    await embedder.close();
    if (readPid(place) === String(process.pid)) rmSync(place.pidFile, { force: true });
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  await supervisor.start();
  logger.info('The local service is running.', { socket: place.socket });
  const look = () => {
    if (!ownsSocket(place, inode)) return undefined;
    writePid(place);
    return supervisor.isBusy;
  };
  watch({ look, idleMs: config.serviceIdleSeconds * 1000, stop });
}

interface WorkerParts {
  readonly env: Environment;
  readonly embedder: EmbeddingModel;
}

function supervise(config: Config, { env, embedder }: WorkerParts): Supervisor {
  return new Supervisor({
    env,
    embedder,
    logger,
    workers: 1,
    maxMb: config.workerMb,
    file: new URL('./local-worker.js', import.meta.url),
    metrics: async () => '',
  });
}

/** The environment of the worker. It has no token, because only this user can reach the socket. */
function workerEnvironment(env: Environment, { fingerprint }: ServicePlace): Environment {
  const { KNOWLEDGE_TOKEN: _token, HOST: _host, PORT: _port, ...others } = env;
  return {
    ...others,
    LOCAL_SERVICE_PID: String(process.pid),
    LOCAL_SERVICE_FINGERPRINT: fingerprint,
    ...(process.argv.includes(WITH_MODEL) && { LOCAL_SERVICE_LOADS_MODEL: '1' }),
  };
}

/**
 * Listens on a temporary socket first, then moves it into place. Exits if another service is running. Resolves with the
 * inode of the socket.
 */
async function listen(server: Server, place: ServicePlace): Promise<number> {
  const { socket } = place;
  const beside = `${socket}.${process.pid}`;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(beside, resolve);
  });
  // Read before the move, because another service may put its socket in the same place at any time.
  const inode = statSync(beside).ino;
  if (!(await takePlace(beside, socket))) {
    rmSync(beside, { force: true });
    process.exit(0);
  }
  writePid(place);
  return inode;
}

/**
 * Writes the pid, again if necessary: if two services start at once, the one that loses the place may write its pid
 * last.
 */
function writePid(place: ServicePlace): void {
  const pid = String(process.pid);
  if (readPid(place) !== pid) writeFileSync(place.pidFile, pid, { mode: 0o600 });
}

function readPid({ pidFile }: ServicePlace): string | undefined {
  try {
    return readFileSync(pidFile, 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns whether the socket is now in its place; false if a running service holds the place. */
async function takePlace(beside: string, socket: string): Promise<boolean> {
  try {
    linkSync(beside, socket);
    rmSync(beside);
    return true;
  } catch {
    // The place is taken, or this file system has no links.
  }
  if (await isListenedTo(socket)) return false;
  renameSync(beside, socket);
  return true;
}

function isListenedTo(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('error', () => resolve(false));
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
  });
}

/** Whether this service owns the socket. If two services started at once, only the later one does. */
function ownsSocket({ socket }: ServicePlace, inode: number): boolean {
  return statSync(socket, { throwIfNoEntry: false })?.ino === inode;
}

interface Watched {
  /** Returns whether the service is busy, and renews its pid file; undefined once another service has the place. */
  readonly look: () => boolean | undefined;
  readonly idleMs: number;
  readonly stop: () => Promise<void>;
}

/** Stops the service when it has been idle too long, or when another one has taken its place. */
function watch({ look, idleMs, stop }: Watched): void {
  let usedAt = performance.now();
  const timer = setInterval(() => {
    rotateLog(dataFolder(process.env));
    const busy = look();
    if (busy === true) usedAt = performance.now();
    if (busy !== undefined && performance.now() - usedAt < idleMs) return;
    clearInterval(timer);
    logger.info('The local service is stopping.', {
      reason: busy === undefined ? 'replaced' : 'idle',
    });
    void stop();
  }, LOOK_EVERY_MS);
}

const LOOK_EVERY_MS = 1_000;
