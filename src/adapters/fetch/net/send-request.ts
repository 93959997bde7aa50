import http, {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import https from 'node:https';
import type { TcpNetConnectOpts } from 'node:net';
import type { AddressCheck } from './address-check.js';

export interface PageRequest {
  readonly headers: OutgoingHttpHeaders;
  readonly addresses: AddressCheck;
  /** Ends the request, and the response while it is being read. */
  readonly signal: AbortSignal;
}

/**
 * Sends one GET and resolves with the response, whose body is not read yet. Uses a connection of its
 * own, and no proxy: the address that is checked is the one that is connected to.
 * @throws KnowledgeError `fetch_not_allowed`; errors of the connection unchanged
 */
export function sendRequest(
  url: URL,
  { headers, addresses, signal }: PageRequest,
): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
    headers,
    signal,
    agent: false,
    lookup: addresses.lookup,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options);
    sent.once('socket', (socket) => {
      socket.once('connect', () => {
        try {
          addresses.checkConnected(socket.remoteAddress);
        } catch (error) {
          sent.destroy(error as Error);
        }
      });
    });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end();
  });
}

/** How long one address of several is tried; Node's own 250 ms are too short for a busy line. */
const ADDRESS_ATTEMPT_MS = 2000;
