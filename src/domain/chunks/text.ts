/**
 * Text as it is stored: no byte-order mark, no lone surrogates and no NUL, none of which come back
 * from SQLite as they went in.
 */
export function storableText(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .toWellFormed()
    .replaceAll('\0', '\uFFFD');
}

/** The last `length` UTF-16 units, one fewer where the cut would halve a surrogate pair. */
export function tailOf(text: string, length: number): string {
  const tail = text.slice(-length);
  return /^[\uDC00-\uDFFF]/.test(tail) && tail.length < text.length ? tail.slice(1) : tail;
}

/** The first `length` UTF-16 units, one fewer where the cut would halve a surrogate pair. */
export function headOf(text: string, length: number): string {
  const head = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(head) && head.length < text.length ? head.slice(0, -1) : head;
}

/** 32 bits by the method FNV-1a, for texts that nobody chooses to collide. */
export function checksumOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
