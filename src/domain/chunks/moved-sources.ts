import { queuesBy } from '../queues.js';

/** A source by what decides whether it is the same as another. */
export interface HashedSource {
  /** Relative to the project, with `/`. */
  readonly sourceFile: string;
  /** Equal hashes mean equal chunks. */
  readonly contentHash: string;
}

/**
 * Which sources were moved: for the path of each new source, one that is gone and had the same content.
 * Each is used once; where several have the same content, one of the same file name is preferred,
 * and then the first. Takes linear time.
 * @param gone in the order of their paths, like `arrived`: files of a renamed folder keep their order
 */
export function planMoves<Gone extends HashedSource>(
  gone: readonly Gone[],
  arrived: readonly HashedSource[],
): ReadonlyMap<string, Gone> {
  const left = new Set(gone);
  const moves = new Map<string, Gone>();
  for (const keyOf of [hashAndName, hash]) {
    const queues = queuesBy(left, keyOf);
    for (const source of arrived) {
      if (moves.has(source.sourceFile)) continue;
      const former = queues.get(keyOf(source))?.next().value;
      if (former === undefined) continue;
      moves.set(source.sourceFile, former);
      left.delete(former);
    }
  }
  return moves;
}

function hashAndName({ sourceFile, contentHash }: HashedSource): string {
  return JSON.stringify([contentHash, sourceFile.slice(sourceFile.lastIndexOf('/') + 1)]);
}

function hash({ contentHash }: HashedSource): string {
  return contentHash;
}
