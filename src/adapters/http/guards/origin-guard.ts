import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { HttpError } from '../server/http-error.js';

/**
 * Refuses requests that a browser sends on behalf of a web page of another origin.
 * @throws HttpError `origin_not_allowed`
 */
export const originGuard: RequestHandler = (request, _response, next) => {
  const site = request.headersDistinct['sec-fetch-site']?.join();
  if (!isOwnOrigin(request) || !OWN_FETCH_SITES.includes(site)) {
    throw new HttpError(
      'origin_not_allowed',
      'Requests from pages of another origin are not served.',
    );
  }
  next();
};

const OWN_FETCH_SITES: readonly (string | undefined)[] = [undefined, 'same-origin', 'none'];

/** Clients that are not browsers send no origin. */
function isOwnOrigin(request: IncomingMessage): boolean {
  const origin = request.headersDistinct['origin']?.join();
  if (origin === undefined) return true;
  const host = request.headers.host ?? '';
  return [`http://${host}`, `https://${host}`].some(
    (own) => own.toLowerCase() === origin.toLowerCase(),
  );
}
