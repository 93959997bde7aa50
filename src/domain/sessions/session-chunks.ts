import { readExchangeTime } from './session-file.js';

interface CutSection {
  readonly heading?: string;
  readonly content: string;
}

/**
 * Adds the time of the exchange to the chunks of a session file. The first line of each exchange's first chunk holds
 * it, and is removed from the content.
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
