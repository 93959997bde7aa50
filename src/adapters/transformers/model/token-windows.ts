import { EMBEDDING_WINDOW_STRIDE, EMBEDDING_WINDOW_TOKENS } from '../../../domain/limits.js';

/**
 * Cuts tokens into windows of at most 254 with a stride of 127 (docs/specification.md, "Embedding component").
 * The first window that reaches the end is the last one; an empty list returns one empty window.
 */
export function tokenWindows(tokens: readonly number[]): readonly (readonly number[])[] {
  const windows: (readonly number[])[] = [];
  let start = 0;
  for (; start + EMBEDDING_WINDOW_TOKENS < tokens.length; start += EMBEDDING_WINDOW_STRIDE) {
    windows.push(tokens.slice(start, start + EMBEDDING_WINDOW_TOKENS));
  }
  windows.push(tokens.slice(start));
  return windows;
}
