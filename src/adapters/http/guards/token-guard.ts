import { createHash, timingSafeEqual } from 'node:crypto';
import { KnowledgeError } from '../../../domain/errors.js';
import { HEALTH_PATH } from '../routes/probe-routes.js';
import { requestTarget } from '../server/request-target.js';
import type { Guard } from './guard.js';

/** Asks every route but `/health` for the token; without one set, everybody is let in. */
export function tokenGuard(token: string | undefined): Guard {
  if (token === undefined) return () => undefined;
  const expected = digest(Buffer.from(token, 'utf8'));
  return (request) => {
    if (requestTarget(request.url ?? '').path === HEALTH_PATH) return;
    if (timingSafeEqual(digest(sentToken(request.headers.authorization)), expected)) return;
    throw new KnowledgeError(
      'unauthorized',
      'This service asks for a token: send it as "Authorization: Bearer <token>".',
    );
  };
}

/** Node reads header bytes as Latin-1; they are compared as the bytes that they were. */
function sentToken(authorization = ''): Buffer {
  const [, token = ''] = /^Bearer +(.*)$/is.exec(authorization) ?? [];
  return Buffer.from(token, 'latin1');
}

/** Digests have one length, which `timingSafeEqual` asks for and which tells nothing of the token's. */
function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
