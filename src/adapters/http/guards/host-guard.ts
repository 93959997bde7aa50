import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import { KnowledgeError } from '../../../domain/errors.js';
import { requestTarget } from '../server/request-target.js';
import type { Guard } from './guard.js';

/**
 * Refuses requests for a name that is not this service's own: a web page that had its own name
 * resolved to this machine (DNS rebinding) still sends that name.
 */
export function hostGuard(boundHost: string): Guard {
  const isAllowed = allowList(boundHost.toLowerCase());
  return (request) => {
    if (hostsOf(request).every((host) => isAllowed(nameOf(host)))) return;
    throw new KnowledgeError(
      'host_not_allowed',
      'The Host header must name this service, for example localhost.',
    );
  };
}

/** All that the request says of its host: exactly one header, and the target where it names one. */
function hostsOf(request: IncomingMessage): readonly string[] {
  const headers = request.headersDistinct['host'] ?? [];
  const { authority } = requestTarget(request.url ?? '');
  const header = headers.length === 1 ? headers : [''];
  return authority === undefined ? header : [...header, authority];
}

/** The host without its port, in small letters; empty where it is not of that form. */
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

/** Any address will do when all of the machine's are bound: rebinding needs a name. */
function isAddress(name: string): boolean {
  return isIPv4(name) || (name.startsWith('[') && isIP(name.slice(1, -1)) === 6);
}
