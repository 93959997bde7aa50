import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { systemErrorCode } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';
import { version } from '../version.js';
import { HANDSHAKE_PATH, type Handshake, send } from './exchange.js';
import type { ServicePlace } from './place.js';

/** `none`: a service has to be started. `silent`: one is running but does not answer. */
export type ServiceState = Handshake | 'none' | 'silent';

/**
 * Looks for a service at a place, and removes anything else there. Stops a service that has been silent for 10 seconds.
 * @throws Node's error if this process cannot open a socket or write beside it
 */
export async function findService(
  place: ServicePlace,
  withinMs = ANSWER_MS,
): Promise<ServiceState> {
  const found = await shakeHandsTwice(place, withinMs);
  if (found !== 'silent') {
    rmSync(place.silenceFile, { force: true });
    if (found !== 'nonsense') return found;
    rmSync(place.socket, { force: true });
    return 'none';
  }
  if (silentForMs(place) < SILENT_MAX_MS) return 'silent';
  endProcess(readPid(place.pidFile), 'SIGKILL');
  rmSync(place.silenceFile, { force: true });
  rmSync(place.socket, { force: true });
  return 'none';
}

const ANSWER_MS = 2_000;
const SILENT_MAX_MS = 10_000;

/** Tries again after a wrong answer: the worker of a healthy service may end during the first handshake. */
async function shakeHandsTwice(place: ServicePlace, withinMs: number) {
  const found = await shakeHands(place, AbortSignal.timeout(withinMs));
  return found === 'nonsense' ? shakeHands(place, AbortSignal.timeout(withinMs)) : found;
}

/**
 * Asks for the handshake.
 * @param signal aborted when the answer comes too late
 * @throws Node's error if this process cannot open a socket
 */
export async function shakeHands(
  { socket, fingerprint }: Pick<ServicePlace, 'socket'> & Partial<ServicePlace>,
  signal: AbortSignal,
): Promise<ServiceState | 'nonsense'> {
  try {
    const said: unknown = JSON.parse(
      await text(await send({ socket, path: HANDSHAKE_PATH, signal })),
    );
    if (!isHandshake(said)) return 'nonsense';
    const isMeant = fingerprint === undefined || said.fingerprint === fingerprint;
    return isMeant ? said : 'nonsense';
  } catch (error) {
    if (signal.aborted) return 'silent';
    const code = systemErrorCode(error);
    if (OWN_FAULTS.has(code)) throw error;
    return ABSENT.has(code) ? 'none' : 'nonsense';
  }
}

/** Errors by which this process cannot open a socket, or not another one. They say nothing about the service. */
const OWN_FAULTS: ReadonlySet<string> = new Set([
  ...['EPERM', 'EAFNOSUPPORT', 'EPROTONOSUPPORT'],
  ...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAGAIN'],
]);

/** Errors by which there is no socket, or nobody listens on it. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED']);

function isHandshake(said: unknown): said is Handshake {
  return (
    isRecord(said) &&
    said['name'] === 'knowledge-store' &&
    said['version'] === version &&
    typeof said['fingerprint'] === 'string' &&
    typeof said['pid'] === 'number'
  );
}

/** How long a service has been silent; 0 for the first client that notices it. */
function silentForMs({ silenceFile }: ServicePlace): number {
  const since = statSync(silenceFile, { throwIfNoEntry: false })?.mtimeMs;
  if (since !== undefined) return Date.now() - since;
  writeFileSync(silenceFile, '');
  return 0;
}

/**
 * Reads a process id from a file. Undefined if there is none, its process has exited, or it belongs to another program.
 */
export function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (!Number.isInteger(pid) || pid <= 1) return undefined;
    process.kill(pid, 0);
    return isService(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process is a local service; assumed if the system does not tell. */
function isService(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('local-service.js');
  } catch {
    return process.platform !== 'linux';
  }
}

export function endProcess(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}
