import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import type { RequestHandler } from 'express';
import { HttpError } from './http-error.js';

/** Which requests are served. */
interface GuardOptions {
  /** The address that the service listens on. */
  readonly host: string;
  /** Further hosts under which clients reach the service: a name allows every port, `name:port` only that port. */
  readonly allowedHosts?: readonly string[];
  /** If set, every path except the open ones requires this token. */
  readonly token?: string;
}

/** The guards, in the order in which they check a request. */
export function buildGuards(
  { host, allowedHosts = [], token }: GuardOptions,
  openPaths: readonly string[],
): readonly RequestHandler[] {
  return [hostGuard(host, allowedHosts), originGuard, tokenGuard(token, openPaths)];
}

/**
 * Refuses requests whose host is not a name of this service. Prevents DNS rebinding: if a web page makes its own host
 * name resolve to this machine, its requests still carry that name.
 * @throws HttpError `host_not_allowed`
 */
function hostGuard(boundHost: string, allowedHosts: readonly string[]): RequestHandler {
  const isOwn = ownNames(boundHost.toLowerCase());
  const further = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const isAllowed = (host: string) =>
    isOwn(hostName(host)) || further.has(hostName(host)) || further.has(host.toLowerCase());
  return (request, _response, next) => {
    if (!requestHosts(request).every(isAllowed)) {
      throw new HttpError(
        'host_not_allowed',
        'The Host header must name this service: use localhost, for example, or set KNOWLEDGE_ALLOWED_HOSTS.',
      );
    }
    next();
  };
}

/** The hosts of a request: from its only Host header and from an absolute target. */
function requestHosts(request: IncomingMessage): readonly string[] {
  const headers = request.headersDistinct['host'] ?? [];
  const header = headers.length === 1 ? headers : [''];
  const [, authority] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(request.url ?? '') ?? [];
  return authority === undefined ? header : [...header, authority];
}

/** The host without its port, in lower case; empty if it is malformed. */
function hostName(host: string): string {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]+)(?::\d{1,5})?$/.exec(host) ?? [];
  return name.toLowerCase();
}

const WILDCARDS: readonly string[] = ['0.0.0.0', '::', ''];

function ownNames(boundHost: string): (name: string) => boolean {
  const own = ['localhost', '[::1]', boundHost, `[${boundHost}]`];
  const isReachable = WILDCARDS.includes(boundHost) ? isAddress : isLoopback;
  return (name) => name !== '' && (own.includes(name) || isReachable(name));
}

function isLoopback(name: string): boolean {
  return isIPv4(name) && name.startsWith('127.');
}

/**
 * Whether a host is an IP address. If the service listens on all addresses, every IP address is allowed, because DNS
 * rebinding needs a name.
 */
function isAddress(name: string): boolean {
  return isIPv4(name) || (name.startsWith('[') && isIP(name.slice(1, -1)) === 6);
}

/**
 * Refuses requests that a browser sends on behalf of a web page of another origin.
 * @throws HttpError `origin_not_allowed`
 */
const originGuard: RequestHandler = (request, _response, next) => {
  const site = request.headersDistinct['sec-fetch-site']?.join();
  if (!isOwnOrigin(request) || !OWN_FETCH_SITES.includes(site)) {
    throw new HttpError(
      'origin_not_allowed',
      'Requests from web pages of another origin are refused.',
    );
  }
  next();
};

const OWN_FETCH_SITES: readonly (string | undefined)[] = [undefined, 'same-origin', 'none'];

/** Whether the origin of a request is this service. Clients that are not browsers send none, which is allowed. */
function isOwnOrigin(request: IncomingMessage): boolean {
  const origin = request.headersDistinct['origin']?.join();
  if (origin === undefined) return true;
  const host = request.headers.host ?? '';
  return [`http://${host}`, `https://${host}`].some(
    (own) => own.toLowerCase() === origin.toLowerCase(),
  );
}

/**
 * Requires the token on every path except the open ones and `.well-known` paths. There, `locals.lacksToken` says
 * whether it is missing. If the service has no token, every request is allowed.
 * @throws HttpError `unauthorized`
 */
function tokenGuard(token: string | undefined, openPaths: readonly string[]): RequestHandler {
  if (token === undefined) return (_request, _response, next) => next();
  const expected = digest(Buffer.from(token, 'utf8'));
  const open = new Set(openPaths);
  return (request, response, next) => {
    const sent = digest(sentToken(request.headers.authorization));
    const isOpen = open.has(request.path) || DISCOVERY_PATH.test(request.path);
    const isKnown = timingSafeEqual(sent, expected);
    response.locals['lacksToken'] = !isKnown;
    if (!isOpen && !isKnown) {
      throw new HttpError(
        'unauthorized',
        'This service requires a token: send it as "Authorization: Bearer <token>".',
      );
    }
    next();
  };
}

/**
 * Discovery paths, where nothing exists. They need no token because, after a 404, a client uses its token, but after a
 * 401 it looks for a login.
 */
const DISCOVERY_PATH = /^(?:\/mcp)?\/\.well-known\//;

/** The token of a request, as the bytes that were sent: Node decodes header bytes as Latin-1. */
function sentToken(authorization = ''): Buffer {
  const [, token = ''] = /^Bearer +(.*)$/is.exec(authorization) ?? [];
  return Buffer.from(token, 'latin1');
}

/** Digests have equal lengths, which `timingSafeEqual` requires, and hide the length of the token. */
function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
