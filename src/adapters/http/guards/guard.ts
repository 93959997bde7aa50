import type { IncomingMessage } from 'node:http';

/**
 * Judges a request by its first lines, before its body is read and its route is looked for.
 * @throws KnowledgeError for a request that is not let in
 */
export type Guard = (request: IncomingMessage) => void;
