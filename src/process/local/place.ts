import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readlinkSync, type Stats } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from '../../app/config/read-config.js';
import { userDataFolder } from '../user-data.js';
import { readBuild, version } from '../version.js';

/** Where to find the local service of one configuration. */
export interface ServicePlace {
  /** The socket, absolute. */
  readonly socket: string;
  /** The file that holds the process id of the service. */
  readonly pidFile: string;
  /** Exists while a running service does not answer; its age is the duration of the silence. */
  readonly silenceFile: string;
  readonly fingerprint: string;
}

export function isServiceOff(env: Environment): boolean {
  return env['KNOWLEDGE_SERVICE'] === 'off';
}

/** The data folder of the user, absolute. */
export function dataFolder(env: Environment): string {
  return resolve(env['DATA_DIR'] || userDataFolder(env));
}

/**
 * The place of the service that would answer exactly as this process with this environment. Its socket name contains
 * the version and a fingerprint of the build, Node, every variable that changes an answer, and the sandbox.
 * @param absent whether to create a missing folder, which requires a checked configuration
 * @throws Error if there is no folder that only this user can open
 */
export function findPlace(env: Environment, absent: 'left' | 'made' = 'left'): ServicePlace {
  const fingerprint = computeFingerprint(env);
  const name = `${version}-${fingerprint.slice(0, 16)}`;
  const folder = possibleFolders(env).find((one) => fits(join(one, name)));
  if (folder === undefined) throw new Error('No folder for the socket has a short enough path.');
  if (absent === 'made') mkdirSync(folder, { recursive: true, mode: 0o700 });
  makePrivate(folder);
  const path = (ending: string) => join(folder, `${name}.${ending}`);
  return {
    socket: path('sock'),
    pidFile: path('pid'),
    silenceFile: path('silent'),
    fingerprint,
  };
}

/** The folders that may hold sockets, in order of preference: a socket path has at most about 100 bytes. */
export function possibleFolders(env: Environment): readonly string[] {
  const own = join(dataFolder(env), 'service');
  const user = process.getuid?.() ?? 'user';
  const digest = createHash('sha256').update(own).digest('hex').slice(0, 8);
  const name = `knowledge-store-${user}-${digest}`;
  const runtime = env['XDG_RUNTIME_DIR'];
  return [own, ...(runtime ? [join(runtime, name)] : []), join(tmpdir(), name)];
}

/** Whether a path is short enough for a socket. Counts bytes, including the ending of the temporary socket. */
function fits(path: string): boolean {
  return Buffer.byteLength(`${path}.sock.1234567`) < SOCKET_PATH_MAX;
}

const SOCKET_PATH_MAX = 104;

/**
 * Lets only this user open a folder, if it exists. @throws Error for another user's folder, and for anything but a
 * folder
 */
function makePrivate(folder: string): void {
  const isAbsent = lstatSync(folder, { throwIfNoEntry: false }) === undefined;
  if (isAbsent || process.platform === 'win32') return;
  const { mode } = checkFolder(folder);
  if ((mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}

/** @throws Error for another user's folder, and for anything but a folder, even a link to one */
export function checkFolder(folder: string): Stats {
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw new Error(`${folder} is not a folder.`);
  const isOwn = process.platform === 'win32' || stats.uid === process.getuid?.();
  if (!isOwn) throw new Error(`${folder} belongs to another user.`);
  return stats;
}

/**
 * A hash of everything that may change an answer. Our own variables count even if they are empty, because some are
 * invalid then.
 */
function computeFingerprint(env: Environment): string {
  const names = Object.keys(env).filter(
    (name) => CONFIGURING.test(name) && (env[name] || name.startsWith('KNOWLEDGE_')),
  );
  const values = names.sort().map((name) => [name, env[name]]);
  const program = [process.version, readBuild()];
  const said = [...values, ['home', homedir()], ['data', dataFolder(env)], namespaces(), program];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

/**
 * The namespaces of this process, on Linux. They tell sandboxes apart: a sandbox may have other files or no network,
 * and its processes end with it.
 */
function namespaces(): readonly string[] {
  return ['mnt', 'net', 'pid'].map((kind) => {
    try {
      return readlinkSync(`/proc/self/ns/${kind}`);
    } catch {
      return '';
    }
  });
}

const CONFIGURING =
  /^(?:KNOWLEDGE_.*|OPENAI_.*|EMBEDDING_.*|RERANK_.*|HOST|PORT|HOME|XDG_.*_(?:HOME|DIR)|CLAUDE_CONFIG_DIR|CODEX_HOME|(?:HTTPS?|ALL|NO)_PROXY|https?_proxy|all_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/;
