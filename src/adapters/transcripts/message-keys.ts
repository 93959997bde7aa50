import { createHash } from 'node:crypto';

/** Hashes of 66 bits that identify a message in any file. */
export function messageKeys(at: string, text: string, id?: string): readonly string[] {
  return [`${at}\n${text}`, ...(id === undefined ? [] : [id])].map(hash);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}
