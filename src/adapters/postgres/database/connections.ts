import type { Client, Connection, Pool, PoolConfig } from 'pg';
import type { Logger } from '../../../ports/logger.js';
import { loggable } from './postgres-errors.js';

interface ConnectionOptions {
  readonly url: string;
  /** Most connections of the pool. */
  readonly connections: number;
  readonly logger: Logger;
}

export interface PostgresPool {
  readonly pool: Pool;
  /** Ends every connection at once, even during a query. */
  readonly destroy: () => void;
}

/** Members of the driver's client that its types lack. */
interface OpenClient extends Client {
  readonly connection: Connection;
}

/** Loads the driver only here, so that a service on another engine does not pay for it. */
export async function connectionsTo(options: ConnectionOptions): Promise<PostgresPool> {
  const { default: driver } = await import('pg');
  const { logger } = options;
  const open = new Set<OpenClient>();
  const onLoss = (error: Error) => logger.debug('A connection ended.', { reason: loggable(error) });
  const pool = new driver.Pool(configOf(options, driver.types));
  pool.on('error', onLoss);
  pool.on('connect', (client) => {
    open.add(client.on('error', onLoss) as unknown as OpenClient);
  });
  pool.on('remove', (client) => open.delete(client as unknown as OpenClient));
  return {
    pool,
    destroy: () => {
      for (const { connection } of open) connection.stream.destroy();
    },
  };
}

function configOf(
  { url, connections }: ConnectionOptions,
  types: typeof import('pg').types,
): PoolConfig {
  return {
    connectionString: url,
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

/** The parameter `connection_limit` of the URL. */
function connectionLimit(url: string): number | undefined {
  const limit = Number(new URL(url).searchParams.get('connection_limit'));
  return Number.isInteger(limit) && limit > 0 ? limit : undefined;
}

/** Of a search; writes have more. */
export const STATEMENT_TIMEOUT_MS = 5000;
const CONNECTION_TIMEOUT_MS = 5000;
