/** Lines of a file, counted from 1, both included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A file, or lines of it. */
export interface CitedPlace {
  readonly path: string;
  readonly lines?: LineRange;
}

/** The same for equal places only. */
export function placeKey({ path, lines }: CitedPlace): string {
  return `${path}:${lines?.from}-${lines?.to}`;
}
