import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processesOf } from './processes.js';

/** `fast` ends running transactions with an error; `immediate` is like a crash. */
type StopMode = 'fast' | 'immediate';

/** `kept`: as in production. `lost`: nothing is flushed to the disk, which is faster but does not survive a crash. */
type Durability = 'kept' | 'lost';

/** Settings for `postgresql.conf`. */
export type Settings = Readonly<Record<string, string>>;

/** A PostgreSQL server of its own, in a temporary folder and on a free port of this machine. */
export class PostgresServer {
  readonly url: string;
  readonly #bin: string;
  readonly #port: number;
  readonly #folder: string;
  #log = '';
  #process: ChildProcess | undefined;

  /** @param bin folder with `initdb` and `postgres`, as printed by `scripts/get-postgres.sh` */
  static async create(
    bin: string,
    durability: Durability,
    tuning: Settings = {},
  ): Promise<PostgresServer> {
    const server = new PostgresServer(bin, await freePort());
    server.#initialize({
      listen_addresses: '127.0.0.1',
      max_connections: '100',
      ...(durability === 'lost' && NOT_DURABLE),
      ...tuning,
    });
    await server.start();
    return server;
  }

  /** Creates a replica of another server, which can take its place. */
  static async following(primary: PostgresServer): Promise<PostgresServer> {
    const server = new PostgresServer(primary.#bin, await freePort());
    await server.follow(primary);
    return server;
  }

  private constructor(bin: string, port: number) {
    this.#bin = bin;
    this.#port = port;
    this.#folder = mkdtempSync(join(tmpdir(), 'knowledge-postgres-'));
    const user = unprivileged();
    if ('uid' in user) chownSync(this.#folder, user.uid, user.gid);
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** Id of the main process; 0 while the server is stopped. */
  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** The end of the log since the last start. */
  get log(): string {
    return this.#log;
  }

  /**
   * Starts the server, and resolves when it accepts connections.
   * @throws Error with the log if it does not start
   */
  async start(): Promise<void> {
    const child = spawn(join(this.#bin, 'postgres'), ['-D', this.#data], {
      ...unprivileged(),
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    this.#log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (part: Buffer) => {
        this.#log = `${this.#log}${part}`.slice(-10_000);
        if (/ready to accept (read-only )?connections/.test(this.#log)) resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`The server ended: ${this.#log}`)));
    });
  }

  async stop(mode: StopMode): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await exited;
    this.#process = undefined;
  }

  /** Kills all processes of the server, as if the machine were gone. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    for (const pid of processesOf(this.pid)) kill(pid);
    await exited;
    this.#process = undefined;
  }

  /** Replaces the data with those of another server, and starts as its replica. The server must be stopped. */
  async follow(primary: PostgresServer): Promise<void> {
    rmSync(this.#data, { recursive: true, force: true });
    const from = ['-h', '127.0.0.1', '-p', String(primary.#port), '-U', 'postgres'];
    const options = ['-D', this.#data, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'];
    await promisify(execFile)(join(this.#bin, 'pg_basebackup'), [...from, ...options], {
      ...unprivileged(),
      cwd: this.#folder,
    });
    this.#configure({});
    await this.start();
  }

  /** Stops the server and deletes its data. */
  async remove(): Promise<void> {
    await this.stop('immediate');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  #initialize(values: Settings): void {
    const options = ['-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8'];
    execFileSync(join(this.#bin, 'initdb'), ['-D', this.#data, '--no-sync', ...options], {
      ...unprivileged(),
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#configure(values);
  }

  /** Appends settings; for each setting, the last line counts. */
  #configure(values: Settings): void {
    const own = { port: String(this.#port), unix_socket_directories: this.#folder };
    const lines = Object.entries({ ...values, ...own }).map(
      ([name, value]) => `${name} = '${value}'\n`,
    );
    appendFileSync(join(this.#data, 'postgresql.conf'), lines.join(''));
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended by itself.
  }
}

const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** The user to run PostgreSQL as, because it refuses to run as root. */
function unprivileged(): { readonly uid: number; readonly gid: number } | object {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Finds a port of this machine on which nothing listens. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
