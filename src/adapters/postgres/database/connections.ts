import type { ClientConfig, Pool } from 'pg';
import type { Logger } from '../../../ports/driven/logger.js';
import { type BoundedClient, boundedClient } from './bounded-client.js';
import { loggable } from './postgres-errors.js';

export interface ConnectionOptions {
  readonly url: string;
  /** Most connections of the pool. */
  readonly connections: number;
  readonly logger: Logger;
  /** Called for each new connection. */
  readonly onConnect: () => void;
}

export interface Connections {
  readonly pool: Pool;
  /** A connection of its own, which is not open yet. */
  readonly single: () => BoundedClient;
  /** The processes of the server behind all open connections. */
  readonly processes: () => readonly number[];
  /** Ends every connection at once, whatever it does. */
  readonly destroy: () => void;
}

/** Loads the driver only here, so that a service on another engine does not pay for it. */
export async function connectionsTo(options: ConnectionOptions): Promise<Connections> {
  const { default: driver } = await import('pg');
  const { logger, onConnect } = options;
  const open = new Set<BoundedClient>();
  const Bounded = boundedClient(driver.Client, open);
  const config = configOf(options, driver.types);
  const onLoss = (error: Error) => logger.debug('A connection ended.', { reason: loggable(error) });
  const pool = new driver.Pool({
    ...config,
    Client: Bounded,
    max: connectionLimit(options.url) ?? options.connections,
    idleTimeoutMillis: 30_000,
  });
  pool.on('error', onLoss);
  pool.on('connect', (client) => {
    client.on('error', onLoss);
    onConnect();
  });
  return {
    pool,
    single: () => new Bounded(config).on('error', onLoss),
    processes: () => [...open].flatMap(({ processID }) => processID ?? []),
    destroy: () => {
      for (const { connection } of open) connection.stream.destroy();
    },
  };
}

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
