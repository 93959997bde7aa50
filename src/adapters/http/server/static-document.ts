/** A response that is the same for every request: it takes no fields and touches no store. */
export interface StaticDocument {
  readonly path: string;
  readonly type: 'json' | 'html';
  readonly headers: Readonly<Record<string, string>>;
  /** Called for the first request; later ones get the same text. */
  readonly write: () => string;
}
