import type { Duplex } from 'node:stream';
import type { Client, ClientConfig, Connection } from 'pg';

/** What the driver's client has, and its types leave out. */
export interface BoundedClient extends Client {
  readonly connection: Connection;
  /** Of the server; null until it is known. */
  readonly processID?: number | null;
}

/**
 * The driver's client, which trusts its server, made safe against one that is broken or hostile: an answer has a
 * bounded size, a message that the driver cannot read ends the connection instead of the process, and a connection that
 * failed, or does not end when it is asked to, is cut.
 * @param open has the clients that are not closed
 */
export function boundedClient(
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
