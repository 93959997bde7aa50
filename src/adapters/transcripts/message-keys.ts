import { createHash } from 'node:crypto';

/** Keys that identify a message in any file: 66-bit hashes of its time and text and, if it has one, of its id. */
export function messageKeys(at: string, text: string, id?: string): readonly string[] {
  return [`${at}\n${text}`, ...(id === undefined ? [] : [id])].map(hash);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}
