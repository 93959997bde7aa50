import type { IncomingMessage } from 'node:http';
import { KnowledgeError } from '../../../domain/errors.js';

const OWN_FETCH_SITES: readonly (string | undefined)[] = [undefined, 'same-origin', 'none'];

/** Refuses what a web page of another origin makes a browser send. */
export function originGuard(request: IncomingMessage): void {
  const site = request.headersDistinct['sec-fetch-site']?.join();
  if (isOwnOrigin(request) && OWN_FETCH_SITES.includes(site)) return;
  throw new KnowledgeError(
    'origin_not_allowed',
    'Requests from pages of another origin are not served.',
  );
}

/** Clients that are no browsers send no origin. */
function isOwnOrigin(request: IncomingMessage): boolean {
  const origin = request.headersDistinct['origin']?.join();
  if (origin === undefined) return true;
  const host = request.headers.host ?? '';
  return [`http://${host}`, `https://${host}`].some(
    (own) => own.toLowerCase() === origin.toLowerCase(),
  );
}
