/** placeholder until the reader is written */
export interface Term {
  readonly text: string;
  readonly prefix: boolean;
}
export type Expression =
  | { readonly kind: 'adjacent'; readonly terms: readonly Term[] }
  | { readonly kind: 'and' | 'or' | 'not'; readonly left: Expression; readonly right: Expression };
