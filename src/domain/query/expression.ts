import { bigramPhrase, containsUnspaced, spacedWords } from '../bigrams.js';
import { foldLetters } from '../folding.js';

/** A word or phrase to look for; with `prefix`, its last token also matches longer tokens. */
export interface Term {
  readonly text: string;
  readonly prefix: boolean;
  /**
   * Set for plain words of a script without spaces, such as Chinese: `too` finds the term as a whole word and inside a
   * run of letters, `only` just inside a run.
   */
  readonly inRun?: 'too' | 'only';
}

/**
 * The condition on a chunk's text. A `terms` node matches a chunk that contains all of its terms. Terms without a
 * letter or digit (`"!!!"`) are ignored, and a node that has only such terms matches nothing.
 */
export type Expression =
  | { readonly kind: 'terms'; readonly terms: readonly Term[] }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Expression[] }
  | { readonly kind: 'not'; readonly wanted: Expression; readonly unwanted: Expression };

/** The terms that a chunk should contain, from left to right; without those on the right side of a NOT. */
export function wantedTerms(expression: Expression): readonly Term[] {
  switch (expression.kind) {
    case 'terms':
      return expression.terms;
    case 'not':
      return wantedTerms(expression.wanted);
    default:
      return expression.operands.flatMap(wantedTerms);
  }
}

/** All terms from left to right, including those that a chunk must not contain. */
export function allTerms(expression: Expression): readonly Term[] {
  switch (expression.kind) {
    case 'terms':
      return expression.terms;
    case 'not':
      return [expression.wanted, expression.unwanted].flatMap(allTerms);
    default:
      return expression.operands.flatMap(allTerms);
  }
}

/** The terms to look for in the `SideWords` of the chunks. */
interface SideReading {
  readonly expression: Expression;
  /** Set if a chunk must also match this among the words found only in the side index. */
  readonly extra?: Expression;
}

/**
 * An expression is searched twice: among the words of the stored texts (`asWords`) and among their side words. A chunk
 * needs to match only one. Plain words of a script without spaces are searched there as bigrams; structured expressions
 * with such words are not, because they ask for whole words.
 */
export function sideReading(expression: Expression): SideReading | undefined {
  const terms = wantedTerms(expression);
  if (terms.some(({ inRun }) => inRun !== undefined)) return { expression: asBigrams(expression) };
  if (terms.some(({ text }) => containsUnspaced(text))) return undefined;
  const words = terms.flatMap(({ text, prefix }) =>
    spacedWords(foldLetters(text)).map(
      (word): Expression => ({ kind: 'terms', terms: [{ text: word, prefix }] }),
    ),
  );
  if (words.length === 0) return undefined;
  const fold = (term: Term) => ({ ...term, text: foldLetters(term.text) });
  return { expression: withTerms(expression, fold), extra: { kind: 'or', operands: words } };
}

/**
 * The expression to search among the words of the stored texts: without terms that are only searched inside runs, and
 * with the folded form of each term added.
 */
export function asWords(expression: Expression): Expression {
  if (expression.kind !== 'or') return inBothForms(expression);
  const operands = expression.operands.filter((operand) => !isOnlyInRuns(operand));
  return { kind: 'or', operands: operands.map(inBothForms) };
}

function inBothForms(expression: Expression): Expression {
  switch (expression.kind) {
    case 'terms':
      return expression.terms.some(isFoldable)
        ? { kind: 'and', operands: expression.terms.map(toForms) }
        : expression;
    case 'not':
      return {
        kind: 'not',
        wanted: inBothForms(expression.wanted),
        unwanted: inBothForms(expression.unwanted),
      };
    default:
      return { kind: expression.kind, operands: expression.operands.map(inBothForms) };
  }
}

function isFoldable({ text }: Term): boolean {
  return foldLetters(text) !== text;
}

function toForms(term: Term): Expression {
  const plain: Expression = { kind: 'terms', terms: [term] };
  if (!isFoldable(term)) return plain;
  const other: Expression = { kind: 'terms', terms: [{ ...term, text: foldLetters(term.text) }] };
  return { kind: 'or', operands: [plain, other] };
}

/** An expression of plain words, rewritten for the search in `bigramText`. */
export function asBigrams(expression: Expression): Expression {
  return withTerms(expression, ({ text }) => bigramPhrase(text));
}

function withTerms(expression: Expression, change: (term: Term) => Term): Expression {
  switch (expression.kind) {
    case 'terms':
      return { kind: 'terms', terms: expression.terms.map(change) };
    case 'not':
      return {
        kind: 'not',
        wanted: withTerms(expression.wanted, change),
        unwanted: withTerms(expression.unwanted, change),
      };
    default: {
      const operands = expression.operands.map((operand) => withTerms(operand, change));
      return { kind: expression.kind, operands };
    }
  }
}

function isOnlyInRuns(expression: Expression): boolean {
  return expression.kind === 'terms' && expression.terms.every(({ inRun }) => inRun === 'only');
}
