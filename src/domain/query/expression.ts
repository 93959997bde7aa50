import { bigramPhrase } from './bigrams.js';

/** A word or phrase to look for; with `prefix`, its last token also matches longer tokens. */
export interface Term {
  readonly text: string;
  readonly prefix: boolean;
  /**
   * Set on plain words of Chinese, Japanese or Korean, which are written without spaces: `too` finds
   * the term as a whole word and inside a run of letters, `only` finds it only inside a run. An
   * expression with such a term is searched twice, once as `asWords` and once as `asBigrams` returns
   * it; a chunk that matches either one is found.
   */
  readonly inRun?: 'too' | 'only';
}

/**
 * What a chunk must contain. A `terms` node matches a chunk that contains all of its terms. Terms
 * without a letter or digit (`"!!!"`) are ignored, and a node of nothing but such terms matches nothing.
 */
export type Expression =
  | { readonly kind: 'terms'; readonly terms: readonly Term[] }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Expression[] }
  | { readonly kind: 'not'; readonly wanted: Expression; readonly unwanted: Expression };

/** The terms that a chunk should contain, from left to right; terms under the right side of a NOT are left out. */
export function wantedTermsOf(expression: Expression): readonly Term[] {
  switch (expression.kind) {
    case 'terms':
      return expression.terms;
    case 'not':
      return wantedTermsOf(expression.wanted);
    default:
      return expression.operands.flatMap(wantedTermsOf);
  }
}

/** Whether an expression has terms that are also looked for inside runs of letters. */
export function hasTermsInRuns(expression: Expression): boolean {
  return wantedTermsOf(expression).some(({ inRun }) => inRun !== undefined);
}

/** The expression to search among whole words: without the terms that are only looked for inside runs. */
export function asWords(expression: Expression): Expression {
  if (expression.kind !== 'or') return expression;
  return { kind: 'or', operands: expression.operands.filter((operand) => !isOnlyInRuns(operand)) };
}

/** An expression of plain words, rewritten for the search in `bigramText`. */
export function asBigrams(expression: Expression): Expression {
  switch (expression.kind) {
    case 'terms':
      return { kind: 'terms', terms: expression.terms.map(({ text }) => bigramPhrase(text)) };
    case 'not':
      return {
        kind: 'not',
        wanted: asBigrams(expression.wanted),
        unwanted: asBigrams(expression.unwanted),
      };
    default:
      return { kind: expression.kind, operands: expression.operands.map(asBigrams) };
  }
}

function isOnlyInRuns(expression: Expression): boolean {
  return expression.kind === 'terms' && expression.terms.every(({ inRun }) => inRun === 'only');
}
