import { KnowledgeError } from '../../domain/errors.js';

export function tooMany(): KnowledgeError {
  return new KnowledgeError(
    'overloaded',
    'Too many calls are waiting for the knowledge store; try again shortly.',
  );
}

export function stuck(): KnowledgeError {
  return new KnowledgeError(
    'overloaded',
    'The knowledge store took too long for this; ask for less, or try again shortly.',
  );
}

export function ended(cause: Error): KnowledgeError {
  return new KnowledgeError(
    'store_unavailable',
    'A thread of the knowledge store ended before it could answer; try again.',
    { cause },
  );
}

export function stopping(): KnowledgeError {
  return new KnowledgeError('store_unavailable', 'The service is stopping.');
}
