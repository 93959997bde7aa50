import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `fast` lets running transactions end with an error; `immediate` is what a crash does. */
type StopMode = 'fast' | 'immediate';

/** `kept`: as a server is run. `lost`: nothing is flushed to the disk, which is faster and survives no crash. */
type Durability = 'kept' | 'lost';

/** Of `postgresql.conf`. */
export type Settings = Readonly<Record<string, string>>;

/** A PostgreSQL server of its own, in a temporary folder, on a free port of this machine. */
export class PostgresServer {
  readonly url: string;
  readonly #bin: string;
  readonly #folder: string;
  #process: ChildProcess | undefined;

  /** @param bin folder with `initdb` and `postgres`, as `scripts/get-postgres.sh` prints it */
  static async create(
    bin: string,
    durability: Durability,
    tuning: Settings = {},
  ): Promise<PostgresServer> {
    const port = await freePort();
    const server = new PostgresServer(bin, port);
    server.#initialize({
      ...settings(port),
      ...(durability === 'lost' && NOT_DURABLE),
      ...tuning,
    });
    await server.start();
    return server;
  }

  private constructor(bin: string, port: number) {
    this.#bin = bin;
    this.#folder = mkdtempSync(join(tmpdir(), 'knowledge-postgres-'));
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** Of the process that starts the others; 0 while the server is stopped. */
  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** Resolves when it accepts connections. @throws with its log if it does not start */
  async start(): Promise<void> {
    const child = spawn(join(this.#bin, 'postgres'), ['-D', this.#data], {
      ...unprivileged(),
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (part: Buffer) => {
        log = `${log}${part}`.slice(-10_000);
        if (log.includes('ready to accept connections')) resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`The server ended: ${log}`)));
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

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    await this.stop('immediate');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  #initialize(values: Settings): void {
    const user = unprivileged();
    if ('uid' in user) chownSync(this.#folder, user.uid, user.gid);
    const options = ['-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8'];
    execFileSync(join(this.#bin, 'initdb'), ['-D', this.#data, '--no-sync', ...options], {
      ...user,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const lines = Object.entries({ ...values, unix_socket_directories: this.#folder }).map(
      ([name, value]) => `${name} = '${value}'\n`,
    );
    appendFileSync(join(this.#data, 'postgresql.conf'), lines.join(''));
  }
}

function settings(port: number): Settings {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    max_connections: '100',
  };
}

const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** PostgreSQL refuses to run as root. */
function unprivileged(): { readonly uid: number; readonly gid: number } | object {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A port of this machine that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
