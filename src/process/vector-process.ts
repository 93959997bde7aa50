import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LeftVectors } from '../adapters/cli/command-line-parts.js';
import type { Config } from '../app/config/fields.js';
import type { Environment } from '../app/config/read-config.js';
import type { ComposedService } from '../app/service.js';

interface VectorProcessOptions {
  readonly dataDir: string;
  readonly env: Environment;
}

/** Leaves missing vectors to a running service, or to a process that this starts. */
export async function leaveVectors(
  { missingVectors, embedder }: Pick<ComposedService, 'missingVectors' | 'embedder'>,
  options: VectorProcessOptions,
  projectPath: string,
): Promise<LeftVectors> {
  const isTakenOver = await missingVectors.areTakenOver(projectPath);
  if (!isTakenOver) startVectorProcess(options, projectPath);
  const { chunksPerSecond } = embedder.status();
  return { to: isTakenOver ? 'service' : 'process', chunksPerSecond };
}

/**
 * Starts a detached process that makes the vectors of a project and then exits. It writes a separate log.
 */
function startVectorProcess({ dataDir, env }: VectorProcessOptions, projectPath: string): void {
  const log = openLog(dataDir);
  const child = spawn(process.execPath, [MAKE_VECTORS, projectPath], {
    detached: true,
    stdio: ['ignore', log, log],
    windowsHide: true,
    env: {
      ...env,
      DATA_DIR: resolve(dataDir),
      KNOWLEDGE_LOG_LEVEL: 'info',
      // Where this Node can, downloads go through the proxy.
      ...(usesProxy(env) && { NODE_USE_ENV_PROXY: '1' }),
    },
  });
  if (typeof log === 'number') closeSync(log);
  // The next command or service makes the vectors.
  child.on('error', () => undefined);
  child.unref();
}

/** Not in the bundle, which would be split into more files for it. */
const MAKE_VECTORS = fileURLToPath(new URL('../process/make-vectors.js', import.meta.url));

/** In the data folder of the user: a project's own folder may be committed or read-only. */
export function vectorLogOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(resolve(dataDir), 'vectors.log');
}

/** Why vectors could not be made the last time, as a sentence; undefined where the log ends with something else. */
export function lastFailureIn(log: string): string | undefined {
  try {
    const last = readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '';
    const { level, reason } = JSON.parse(last);
    return level >= WARNING && typeof reason === 'string' ? reason : undefined;
  } catch {
    return undefined;
  }
}

/** As pino numbers its levels. */
const WARNING = 40;

/** Appends, until the log has grown too large. */
function openLog(dataDir: string): number | 'ignore' {
  const file = vectorLogOf({ dataDir });
  try {
    mkdirSync(resolve(dataDir), { recursive: true });
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return openSync(file, size > LOG_MAX_BYTES ? 'w' : 'a', 0o600);
  } catch {
    return 'ignore';
  }
}

const LOG_MAX_BYTES = 1024 * 1024;

function usesProxy(env: Environment): boolean {
  return ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some((name) => env[name]);
}
