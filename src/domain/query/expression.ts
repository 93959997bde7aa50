import { bigramPhrase } from './bigrams.js';

/** A word or phrase that is looked for; with `prefix` its last token may go on. */
export interface Term {
  readonly text: string;
  readonly prefix: boolean;
  /**
   * Set on plain words of Chinese, Japanese or Korean, whose texts have no spaces between words:
   * the term may stand inside a run of letters too, or is looked for only there. An expression with
   * such a term is read twice, by `asWords` and `asBigrams`; a chunk may match either reading.
   */
  readonly inRun?: 'too' | 'only';
}

/**
 * What a chunk must hold. A node of terms matches where all of them are found; terms without a
 * letter or digit (`"!!!"`) are ignored there. As an operand of their own such terms match nothing.
 */
export type Expression =
  | { readonly kind: 'terms'; readonly terms: readonly Term[] }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Expression[] }
  | { readonly kind: 'not'; readonly wanted: Expression; readonly unwanted: Expression };

/** The terms that a chunk is wanted for, from left to right: not those that it must not hold. */
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

/** Whether an expression holds words that may stand inside runs of letters. */
export function looksInRuns(expression: Expression): boolean {
  return wantedTermsOf(expression).some(({ inRun }) => inRun !== undefined);
}

/** An expression as it is looked for among whole words: without mere parts of words. */
export function asWords(expression: Expression): Expression {
  if (expression.kind !== 'or') return expression;
  return { kind: 'or', operands: expression.operands.filter((part) => !isMerePart(part)) };
}

/** An expression of plain words as it is looked for in `bigramText`. */
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

function isMerePart(expression: Expression): boolean {
  return expression.kind === 'terms' && expression.terms.every(({ inRun }) => inRun === 'only');
}
