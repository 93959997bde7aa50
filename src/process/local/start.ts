import { spawn } from 'node:child_process';
import { closeSync, mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../app/config/read-config.js';
import { type Handshake, WITH_MODEL } from './exchange.js';
import { findService } from './find.js';
import { openLog } from './log.js';
import { dataFolder, findPlace, isServiceOff, type ServicePlace } from './place.js';

interface Starting {
  readonly env: Environment;
  /** Called once if the start takes longer than two seconds. */
  readonly onSlow: () => void;
}

/** A service that answered, and its place. */
export interface LocalService {
  readonly place: ServicePlace;
  readonly handshake: Handshake;
}

/**
 * The service of this user and configuration, if it is running and answers. The client need not check the
 * configuration: no service runs with the fingerprint of an invalid one.
 */
export async function runningService(env: Environment): Promise<LocalService | undefined> {
  if (isServiceOff(env)) return undefined;
  try {
    const place = findPlace(env);
    const handshake = await findService(place);
    return typeof handshake === 'string' ? undefined : { place, handshake };
  } catch {
    return undefined;
  }
}

/** As `runningService`, but starts the service if necessary; undefined if it cannot be started or does not answer. */
export async function startService(wanted: Starting): Promise<LocalService | undefined> {
  if (isServiceOff(wanted.env)) return undefined;
  try {
    const place = findPlace(wanted.env);
    const found = await findService(place);
    if (found === 'silent') return undefined;
    const handshake = found === 'none' ? await start(place, wanted) : found;
    return handshake && { place, handshake };
  } catch {
    return undefined;
  }
}

async function start(
  place: ServicePlace,
  { env, onSlow }: Starting,
): Promise<Handshake | undefined> {
  const child = await spawnService(env, []);
  let failed = false;
  child.once('error', () => {
    failed = true;
  });
  // A service exits with 0 if it finds another one in its place, so this is no failure.
  child.once('exit', (code) => {
    failed = code !== 0;
  });
  const slow = setTimeout(onSlow, SLOW_MS);
  try {
    for (const startedAt = performance.now(); performance.now() - startedAt < START_MAX_MS; ) {
      const found = await findService(place, START_MAX_MS);
      if (typeof found !== 'string') return found;
      if (failed) return undefined;
      await pause(LOOK_EVERY_MS);
    }
    return undefined;
  } finally {
    clearTimeout(slow);
  }
}

const SLOW_MS = 2_000;
const START_MAX_MS = 15_000;
const LOOK_EVERY_MS = 20;

/** Starts a service that loads its model at once. Does not wait for it. @throws ConfigError */
export async function launchService(env: Environment): Promise<void> {
  (await spawnService(env, [WITH_MODEL])).once('error', () => undefined);
}

/** Starts the process of a service. @throws ConfigError */
async function spawnService(env: Environment, options: readonly string[]) {
  const { readConfig } = await import('../../app/config/read-config.js');
  readConfig(env);
  findPlace(env, 'made');
  const folder = dataFolder(env);
  mkdirSync(folder, { recursive: true });
  const log = openLog(folder);
  const child = spawn(process.execPath, [SERVICE_FILE, ...options], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', log, log],
    windowsHide: true,
    env: {
      ...env,
      DATA_DIR: folder,
      // Makes downloads use the proxy, if this version of Node can.
      ...(PROXIES.some((name) => env[name]) && { NODE_USE_ENV_PROXY: '1' }),
    },
  });
  closeSync(log);
  child.unref();
  return child;
}

const SERVICE_FILE = fileURLToPath(new URL('./local-service.js', import.meta.url));
const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
