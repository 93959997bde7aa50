/** One thing learned from a feature, for a memory category. */
export interface Learning {
  readonly category: string;
  readonly title: string;
  readonly content: string;
}
