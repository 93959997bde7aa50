import type { Client, Connection, Pool, PoolClient, PoolConfig } from 'pg';
import type { Logger } from '../../../ports/logger.js';
import { serverUrls } from '../../../shared/database-url.js';
import { isConnectionLoss, loggable, READ_ONLY, retry } from './postgres-errors.js';

interface ConnectionOptions {
  /** URL of one server, or URL of several, separated by commas, of which one accepts writes. */
  readonly url: string;
  /** Maximum number of connections per server. */
  readonly connections: number;
  readonly logger: Logger;
}

export interface Connections {
  /**
   * Connects to the server that accepts writes.
   * @throws the driver's error about the last server that was tried
   */
  connect(): Promise<PoolClient>;
  /** Resolves once every connection has been returned and has ended. */
  end(): Promise<void>;
  /** Ends every connection at once, even during a query. */
  destroy(): void;
}

/** Members of the driver's client that its types lack. */
interface OpenClient extends Client {
  readonly connection: Connection;
}

/** Creates a pool per server. Loads the driver only now, so that a service on another backend does not pay for it. */
export async function connectionsTo(options: ConnectionOptions): Promise<Connections> {
  const { default: driver } = await import('pg');
  const { url, logger } = options;
  const open = new Set<OpenClient>();
  const onLoss = (error: Error) => logger.debug('A connection ended.', { reason: loggable(error) });
  const config = poolConfig(options, driver.types);
  const servers = serverUrls(url);
  const pools = servers.map((connectionString) => {
    const pool = new driver.Pool({
      ...config,
      connectionString,
      ...(servers.length > 1 && { verify: refuseReadOnly }),
    });
    pool.on('error', onLoss);
    pool.on('connect', (client) => {
      open.add(client.on('error', onLoss) as unknown as OpenClient);
    });
    pool.on('remove', (client) => open.delete(client as unknown as OpenClient));
    return pool;
  });
  return {
    connect: connectingToOne(pools),
    end: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
    destroy: () => {
      for (const { connection } of open) connection.stream.destroy();
    },
  };
}

/** Tries the server that was used last, then the others in turn. */
function connectingToOne(pools: readonly Pool[]): () => Promise<PoolClient> {
  /** The server in use is first. */
  let queue = pools;
  return () => {
    let [asked] = queue;
    const isAnotherLeft = (error: unknown) => {
      if (!isConnectionLoss(error)) return false;
      // Another request may already have moved on to the next server.
      if (queue[0] === asked) queue = [...queue.slice(1), ...queue.slice(0, 1)];
      return true;
    };
    return retry(pools.length, isAnotherLeft, async () => {
      [asked] = queue;
      if (asked === undefined) throw new Error('The URL names no server.');
      return asked.connect();
    });
  };
}

/** Rejects a connection to a server that accepts no writes. The pool calls this for each new connection. */
function refuseReadOnly(client: PoolClient, done: (error?: Error) => void): void {
  const asked = { text: 'SHOW transaction_read_only', query_timeout: CONNECTION_TIMEOUT_MS };
  client
    .query<{ readonly transaction_read_only: string }>(asked)
    .then(
      ({ rows: [row] }) =>
        done(
          row?.transaction_read_only === 'on'
            ? Object.assign(new Error('read-only'), { code: READ_ONLY })
            : undefined,
        ),
      done,
    );
}

function poolConfig(
  { url, connections }: ConnectionOptions,
  types: typeof import('pg').types,
): PoolConfig {
  return {
    max: connectionLimit(url) ?? connections,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 120_000,
    application_name: 'knowledge-store',
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === types.builtins.INT8
          ? Number
          : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  };
}

/** Reads the parameter `connection_limit` of the URL. */
function connectionLimit(url: string): number | undefined {
  const limit = Number(new URL(serverUrls(url)[0] ?? url).searchParams.get('connection_limit'));
  return Number.isInteger(limit) && limit > 0 ? limit : undefined;
}

/** Applies to reads; writes get more time. */
export const STATEMENT_TIMEOUT_MS = 5000;
const CONNECTION_TIMEOUT_MS = 5000;
