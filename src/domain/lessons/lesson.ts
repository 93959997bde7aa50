/** One thing learned from a feature, for a memory category. */
export interface Lesson {
  readonly category: string;
  readonly title: string;
  readonly content: string;
}
