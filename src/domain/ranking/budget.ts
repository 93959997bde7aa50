import { type Chunk, chunkId } from '../chunks/chunk.js';
import { tokenCost } from '../chunks/text.js';

export interface Budget {
  readonly maxResults: number;
  /** A chunk costs ceil(content length / 4) tokens. */
  readonly maxTokens: number;
}

export interface Budgeted<T> {
  readonly kept: readonly T[];
  readonly usedTokens: number;
  readonly reason: 'nothing cut' | 'maxResults reached' | 'maxTokens reached';
}

/**
 * The longest prefix of a ranked list that fits: it ends before the first chunk that would exceed
 * `maxTokens`, and has at most `maxResults` chunks (docs/specification.md, "Retrieval", step 4).
 */
export function withinBudget<T extends { readonly chunk: { readonly content: string } }>(
  ranked: readonly T[],
  { maxResults, maxTokens }: Budget,
): Budgeted<T> {
  const kept: T[] = [];
  let usedTokens = 0;
  for (const item of ranked) {
    if (kept.length === maxResults) return { kept, usedTokens, reason: 'maxResults reached' };
    const cost = tokenCost(item.chunk.content);
    if (usedTokens + cost > maxTokens) return { kept, usedTokens, reason: 'maxTokens reached' };
    kept.push(item);
    usedTokens += cost;
  }
  return { kept, usedTokens, reason: 'nothing cut' };
}

/** The ids of the chunks after and before a chunk in its source. */
export function neighbourIds({ sourceFile, chunkIndex }: Chunk): readonly [string, string] {
  return [chunkId(sourceFile, chunkIndex + 1), chunkId(sourceFile, chunkIndex - 1)];
}

/**
 * The chunks of an answer with their neighbours joined to their content, where the rest of the budget has room: best
 * chunk first, the neighbour after it before the one before it. No text is joined that is there already.
 */
export function withNeighbours(
  chunks: readonly Chunk[],
  neighbours: readonly Chunk[],
  maxTokens: number,
): readonly Chunk[] {
  const byId = new Map(neighbours.map((neighbour) => [neighbour.id, neighbour]));
  const shown = new Set(chunks.map(({ content }) => content));
  let rest = maxTokens - chunks.reduce((sum, { content }) => sum + tokenCost(content), 0);
  return chunks.map((chunk) => {
    const [after, before] = neighbourIds(chunk);
    let { content } = chunk;
    for (const id of [after, before]) {
      const neighbour = byId.get(id);
      if (!isOfSameSource(chunk, neighbour) || shown.has(neighbour.content)) continue;
      const parts = id === after ? [content, neighbour.content] : [neighbour.content, content];
      const joined = parts.join('\n\n');
      const cost = tokenCost(joined) - tokenCost(content);
      if (rest < cost) continue;
      rest -= cost;
      shown.add(neighbour.content);
      content = joined;
    }
    return { ...chunk, content };
  });
}

/** Rows of other programs may have any id. */
function isOfSameSource(chunk: Chunk, other: Chunk | undefined): other is Chunk {
  return chunk.sourceFile === other?.sourceFile && chunk.sourceType === other.sourceType;
}
