/** A GET route that takes no fields and responds with plain text. */
export interface TextRoute {
  readonly path: string;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** What the text is, for the documentation. */
  readonly description: string;
  readonly read: () => Promise<string>;
}
