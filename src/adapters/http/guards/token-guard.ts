import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { HEALTH_PATH } from '../routes/probe-routes.js';
import { HttpError } from '../server/http-error.js';

/**
 * Requires the token on every route except `/health`; without a token, every request is allowed.
 * @throws HttpError `unauthorized`
 */
export function tokenGuard(token: string | undefined): RequestHandler {
  if (token === undefined) return (_request, _response, next) => next();
  const expected = digest(Buffer.from(token, 'utf8'));
  return (request, _response, next) => {
    const sent = digest(sentToken(request.headers.authorization));
    if (request.path !== HEALTH_PATH && !timingSafeEqual(sent, expected)) {
      throw new HttpError(
        'unauthorized',
        'This service requires a token: send it as "Authorization: Bearer <token>".',
      );
    }
    next();
  };
}

/** Node reads header bytes as Latin-1; they are compared as the bytes that were sent. */
function sentToken(authorization = ''): Buffer {
  const [, token = ''] = /^Bearer +(.*)$/is.exec(authorization) ?? [];
  return Buffer.from(token, 'latin1');
}

/** All digests have the same length: `timingSafeEqual` requires that, and it hides the token's length. */
function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
