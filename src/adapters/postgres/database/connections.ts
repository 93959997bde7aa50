import type { Duplex } from 'node:stream';
import type { Client, ClientConfig, Connection, Pool } from 'pg';
import type { Logger } from '../../../ports/driven/logger.js';
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
  /** A connection of its own, which is not open yet. */
  readonly single: () => BoundedClient;
  /** The processes of the server behind all open connections. */
  readonly processes: () => readonly number[];
  /** Ends every connection at once, whatever it does. */
  readonly destroy: () => void;
}

/** What the driver's client has, and its types leave out. */
export interface BoundedClient extends Client {
  readonly connection: Connection;
  /** Of the server; null until it is known. */
  readonly processID?: number | null;
}

/** Loads the driver only here, so that a service on another engine does not pay for it. */
export async function connectionsTo(options: ConnectionOptions): Promise<Connections> {
  const { default: driver } = await import('pg');
  const { logger } = options;
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
  pool.on('connect', (client) => void client.on('error', onLoss));
  return {
    pool,
    single: () => new Bounded(config).on('error', onLoss),
    processes: () => [...open].flatMap(({ processID }) => processID ?? []),
    destroy: () => {
      for (const { connection } of open) connection.stream.destroy();
    },
  };
}

/** Cancels what `builder` does, and what waits for a lock in any connection. */
export async function cancelWaiting(
  { single, processes }: Connections,
  builder: BoundedClient | undefined,
): Promise<void> {
  const waiting = processes();
  const client = single();
  try {
    await client.connect();
    await sessionOf(client, CANCELLING_PATIENCE_MS).query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
       WHERE pid = $1 OR (pid = ANY($2) AND wait_event_type = 'Lock')`,
      [builder?.processID ?? 0, waiting],
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

const CANCELLING_PATIENCE_MS = 2000;

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

/**
 * The driver's client, which trusts its server, made safe against one that is broken or hostile: an answer has a
 * bounded size, a message that the driver cannot read ends the connection instead of the process, and a connection that
 * failed, or does not end when it is asked to, is cut.
 * @param open has the clients that are not closed
 */
function boundedClient(
  Base: typeof Client,
  open: Set<BoundedClient>,
): new (
  config?: ClientConfig,
) => BoundedClient {
  const Driver = Base as unknown as new (config?: ClientConfig) => BoundedClient;
  class Bounded extends Driver {
    constructor(config?: ClientConfig) {
      super(config);
      const { connection } = this;
      guard(connection.stream);
      connection.once('sslconnect', () => guard(connection.stream));
      connection.once('end', () => open.delete(this));
      open.add(this);
    }

    override connect(): Promise<BoundedClient>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<BoundedClient> | undefined {
      const connecting = super.connect().catch((error) => {
        this.connection.stream.destroy();
        throw error;
      });
      if (callback === undefined) return connecting as Promise<BoundedClient>;
      void connecting.then(() => callback(NO_ERROR), callback);
      return undefined;
    }

    override end(): Promise<void>;
    override end(callback: (error: Error) => void): void;
    override end(callback?: (error: Error) => void): Promise<void> | undefined {
      const cut = setTimeout(() => this.connection.stream.destroy(), END_TIMEOUT_MS);
      this.connection.once('end', () => clearTimeout(cut));
      return callback === undefined ? super.end() : void super.end(callback);
    }
  }
  return Bounded;
}

/** As the driver calls back where there is none. */
const NO_ERROR = null as unknown as Error;
const END_TIMEOUT_MS = 1000;

/** Counts what comes in answer to each message, and ends the stream where that cannot be read. */
function guard(stream: Duplex): void {
  const emit = stream.emit.bind(stream) as (event: string | symbol, ...args: unknown[]) => boolean;
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  let received = 0;
  const safely = (event: string | symbol, ...args: unknown[]): boolean => {
    try {
      const [data] = args;
      if (event === 'data' && data instanceof Uint8Array) received += data.length;
      if (received > ANSWER_MAX_BYTES) throw new Error('The answer is too large.');
      return emit(event, ...args);
    } catch {
      stream.destroy(new ProtocolError('The server does not speak as PostgreSQL does.'));
      return false;
    }
  };
  const counting = (...args: unknown[]): boolean => {
    received = 0;
    return write(...args);
  };
  Object.assign(stream, { emit: safely, write: counting });
}

/** More than any answer to a statement of ours has. */
const ANSWER_MAX_BYTES = 128 * 1024 * 1024;

/** With the code of PostgreSQL for it. */
class ProtocolError extends Error {
  readonly code = '08P01';
}
