import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import type { RequestHandler } from 'express';
import { HttpError } from '../server/http-error.js';

/**
 * Refuses requests whose host is not a name of this service. Prevents DNS rebinding: a web page that
 * makes its own name resolve to this machine still sends that name.
 * @throws HttpError `host_not_allowed`
 */
export function hostGuard(boundHost: string): RequestHandler {
  const isAllowed = allowList(boundHost.toLowerCase());
  return (request, _response, next) => {
    if (!hostsOf(request).every((host) => isAllowed(nameOf(host)))) {
      throw new HttpError(
        'host_not_allowed',
        'The Host header must name this service; use localhost, for example.',
      );
    }
    next();
  };
}

/** The hosts of a request: that of its only Host header, and that of an absolute target. */
function hostsOf(request: IncomingMessage): readonly string[] {
  const headers = request.headersDistinct['host'] ?? [];
  const header = headers.length === 1 ? headers : [''];
  const [, authority] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(request.url ?? '') ?? [];
  return authority === undefined ? header : [...header, authority];
}

/** The host without its port, in lower case; empty if it is malformed. */
function nameOf(host: string): string {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]+)(?::\d{1,5})?$/.exec(host) ?? [];
  return name.toLowerCase();
}

const WILDCARDS: readonly string[] = ['0.0.0.0', '::', ''];

function allowList(boundHost: string): (name: string) => boolean {
  const own = ['localhost', '[::1]', boundHost, `[${boundHost}]`];
  const isReachable = WILDCARDS.includes(boundHost) ? isAddress : isLoopback;
  return (name) => name !== '' && (own.includes(name) || isReachable(name));
}

function isLoopback(name: string): boolean {
  return isIPv4(name) && name.startsWith('127.');
}

/** If the service listens on all addresses, any IP address is allowed: DNS rebinding needs a name. */
function isAddress(name: string): boolean {
  return isIPv4(name) || (name.startsWith('[') && isIP(name.slice(1, -1)) === 6);
}
