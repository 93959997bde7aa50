import type { Pool } from 'pg';
import type { Logger } from '../../../ports/driven/logger.js';
import { loggable } from './postgres-errors.js';

export interface PoolOptions {
  readonly url: string;
  readonly connections: number;
  readonly logger: Logger;
  /** Called for each new connection. */
  readonly onConnect: () => void;
}

/** Loads the driver only here, so that a service on another engine does not pay for it. */
export async function createPool({
  url,
  connections,
  logger,
  onConnect,
}: PoolOptions): Promise<Pool> {
  const { Pool, types } = (await import('pg')).default;
  const pool = new Pool({
    connectionString: url,
    max: connectionLimit(url) ?? connections,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
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
  });
  const onLoss = (error: Error) => logger.debug('A connection ended.', { reason: loggable(error) });
  pool.on('error', onLoss);
  pool.on('connect', (client) => {
    client.on('error', onLoss);
    onConnect();
  });
  return pool;
}

/** The parameter `connection_limit` of the URL. */
function connectionLimit(url: string): number | undefined {
  const limit = Number(new URL(url).searchParams.get('connection_limit'));
  return Number.isInteger(limit) && limit > 0 ? limit : undefined;
}

/** Of a search; writes have more. */
const STATEMENT_TIMEOUT_MS = 5000;
