import { readExchangeTime } from './session-file.js';

interface CutSection {
  readonly heading?: string;
  readonly content: string;
}

/**
 * The chunks of a session file with the time of their exchange, which its first chunk names in its first line. That
 * line is not part of the content.
 */
export function withExchangeTimes<Chunk extends CutSection>(
  chunks: readonly Chunk[],
): readonly (Chunk & { readonly createdAt?: string })[] {
  let heading: string | undefined;
  let time: string | undefined;
  return chunks.map((chunk) => {
    const [line = '', ...rest] = chunk.content.split('\n');
    const own = readExchangeTime(line);
    if (own !== undefined || chunk.heading !== heading) time = own;
    heading = chunk.heading;
    const content = own === undefined ? chunk.content : rest.join('\n').trim();
    return { ...chunk, content, ...(time !== undefined && { createdAt: time }) };
  });
}
