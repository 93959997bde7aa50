import { readFileSync, writeFileSync } from 'node:fs';
import { executeAs } from './execute-as.js';
import { PostgresServer } from './postgres-server.js';
import { SERVER_BIN } from './postgres-under-test.js';

/** The parts of a database URL that must never become visible. Each is a word that occurs nowhere else. */
const CANARIES = { user: 'hawk', password: 'heron', host: '127.83.72.61' };
const CANARY = new RegExp(Object.values(CANARIES).join('|').replaceAll('.', '\\.'), 'gi');
const HBA = (user: string) => `host all ${user} all scram-sha-256\nhost all all all trust\n`;

/** The places where a text contains a canary, each with the text around it. */
export function canariesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(CANARY), ({ index }) =>
    text.slice(Math.max(0, index - 80), index + 40),
  );
}

/** A server that asks one user for a password. Its URL consists of canaries. */
export class CanaryServer {
  readonly server: PostgresServer;
  readonly #port: string;

  static async create(): Promise<CanaryServer> {
    const addresses = `127.0.0.1,${CANARIES.host}`;
    const server = await PostgresServer.create(SERVER_BIN, 'kept', { listen_addresses: addresses });
    const canaries = new CanaryServer(server);
    await canaries.#prepare();
    return canaries;
  }

  private constructor(server: PostgresServer) {
    this.server = server;
    this.#port = new URL(server.url).port;
  }

  /** The URL for that user. Changing `password`, `host`, `port` or `database` gives a URL that does not work. */
  url(changed: Partial<Record<'password' | 'host' | 'port' | 'database', string>> = {}): string {
    const { password = `${CANARIES.password}/1`, host = CANARIES.host } = changed;
    const { port = this.#port, database = 'knowledge' } = changed;
    const user = `${CANARIES.user}:${encodeURIComponent(password)}`;
    return `postgres://${user}@${host}:${port}/${database}`;
  }

  /** Executes statements as an administrator, in the service's database. */
  async execute(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await executeAs(this.#adminUrl('knowledge'), statement);
  }

  /** Ends all sessions of the user. */
  endSessions(): Promise<void> {
    return this.execute(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${CANARIES.user}'`,
    );
  }

  async #prepare(): Promise<void> {
    const { user, password } = CANARIES;
    const { url } = this.server;
    await executeAs(url, `CREATE ROLE ${user} LOGIN PASSWORD '${password}/1'`);
    for (const name of ['knowledge', 'bare']) await executeAs(url, `CREATE DATABASE ${name}`);
    await this.execute('CREATE EXTENSION vector', `GRANT ALL ON DATABASE knowledge TO ${user}`);
    const [row] = await executeAs(url, 'SHOW hba_file');
    const path = String(row?.['hba_file']);
    writeFileSync(path, `${HBA(user)}${readFileSync(path, 'utf8')}`);
    await executeAs(url, 'SELECT pg_reload_conf()');
  }

  #adminUrl(database: string): string {
    return this.server.url.replace(/[^/]*$/, database);
  }
}

export const CANARY_USER = CANARIES.user;
