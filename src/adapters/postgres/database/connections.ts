import type { Client, ClientConfig, Connection, Pool } from 'pg';
import type { Logger } from '../../../ports/logger.js';
import { loggable } from './postgres-errors.js';
import { sessionOf } from './session.js';

interface ConnectionOptions {
  readonly url: string;
  /** Most connections of the pool. */
  readonly connections: number;
  readonly logger: Logger;
}

export interface Connections {
  readonly pool: Pool;
  /** A separate connection. */
  readonly single: () => Promise<OpenClient>;
  /** The processes of the server behind all open connections. */
  readonly processes: () => readonly number[];
  /** Ends every connection at once, even during a query. */
  readonly destroy: () => void;
}

/** What the driver's client has, and its types leave out. */
interface OpenClient extends Client {
  readonly connection: Connection;
  /** Of the server; null until it is known. */
  readonly processID?: number | null;
}

/** Loads the driver only here, so that a service on another engine does not pay for it. */
export async function connectionsTo(options: ConnectionOptions): Promise<Connections> {
  const { default: driver } = await import('pg');
  const { logger } = options;
  const open = new Set<OpenClient>();
  const config = configOf(options, driver.types);
  const onLoss = (error: Error) => logger.debug('A connection ended.', { reason: loggable(error) });
  const pool = new driver.Pool({
    ...config,
    max: connectionLimit(options.url) ?? options.connections,
    idleTimeoutMillis: 30_000,
  });
  pool.on('error', onLoss);
  pool.on('connect', (client) => {
    open.add(client.on('error', onLoss) as unknown as OpenClient);
  });
  pool.on('remove', (client) => open.delete(client as unknown as OpenClient));
  return {
    pool,
    single: async () => {
      const client = new driver.Client(config).on('error', onLoss) as OpenClient;
      await client.connect();
      return client;
    },
    processes: () => [...open].flatMap(({ processID }) => processID ?? []),
    destroy: () => {
      for (const { connection } of open) connection.stream.destroy();
    },
  };
}

/** Cancels what waits for a lock in any connection. */
export async function cancelWaiting({ single, processes }: Connections): Promise<void> {
  const waiting = processes();
  const client = await single();
  try {
    await sessionOf(client, CANCELLING_TIMEOUT_MS).query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
       WHERE pid = ANY($1) AND wait_event_type = 'Lock'`,
      [waiting],
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

const CANCELLING_TIMEOUT_MS = 2000;

function configOf({ url }: ConnectionOptions, types: typeof import('pg').types): ClientConfig {
  return {
    connectionString: url,
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

/** The parameter `connection_limit` of the URL. */
function connectionLimit(url: string): number | undefined {
  const limit = Number(new URL(url).searchParams.get('connection_limit'));
  return Number.isInteger(limit) && limit > 0 ? limit : undefined;
}

/** Of a search; writes have more. */
export const STATEMENT_TIMEOUT_MS = 5000;
const CONNECTION_TIMEOUT_MS = 5000;
