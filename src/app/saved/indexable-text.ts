import { invalidRequest } from '../../domain/errors.js';
import { SOURCE_FILE_MAX_BYTES } from '../../domain/limits.js';

/** Whether a file with this text is small enough to be indexed. */
export function isIndexable(text: string): boolean {
  return Buffer.byteLength(text) <= SOURCE_FILE_MAX_BYTES;
}

/** @throws KnowledgeError `invalid_request` */
export function assertIndexable(text: string): void {
  if (!isIndexable(text))
    throw invalidRequest(
      'The file would exceed 2 MiB and could not be searched; shorten the text.',
    );
}
