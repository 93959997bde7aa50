import { EXPORT_LINE_MAX_CHARACTERS_BESIDE_TEXT } from '../limits.js';

/**
 * Whether a line has more beside its longest string than any line of an export. Finds it without parsing: millions of
 * small values take gigabytes of memory, one long text does not.
 */
export function isOverfull(line: string): boolean {
  if (line.length <= EXPORT_LINE_MAX_CHARACTERS_BESIDE_TEXT) return false;
  let longest = 0;
  let opening: number | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const code = line.charCodeAt(index);
    if (code === BACKSLASH && opening !== undefined) index += 1;
    if (code !== QUOTE) continue;
    if (opening !== undefined) longest = Math.max(longest, index - opening);
    opening = opening === undefined ? index : undefined;
  }
  return line.length - longest > EXPORT_LINE_MAX_CHARACTERS_BESIDE_TEXT;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
