/** The weight of a word by the number of chunks that contain it (BM25's inverse document frequency). */
export function rarity(holding: number, chunks: number): number {
  return Math.log(1 + (Math.max(0, chunks - holding) + 0.5) / (holding + 0.5));
}
