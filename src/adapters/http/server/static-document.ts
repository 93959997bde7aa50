/** A response that is the same for every request: it takes no fields and touches no store. */
export interface StaticDocument {
  readonly path: string;
  readonly type: 'json' | 'html';
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}
