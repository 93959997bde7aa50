import { bigramPhrase } from '../../domain/bigrams.js';
import type { Expression, Term } from '../../domain/query.js';

/**
 * An expression in FTS5's query language. Every term is quoted, so no text of a caller is ever read
 * as syntax; terms stand side by side, so that FTS5 drops those without a token.
 */
export function toFtsMatch(expression: Expression): string {
  switch (expression.kind) {
    case 'terms':
      return expression.terms.map(quoted).join(' ');
    case 'not':
      return `${operand(expression.wanted)} NOT ${operand(expression.unwanted)}`;
    default:
      return expression.operands.map(operand).join(expression.kind === 'and' ? ' AND ' : ' OR ');
  }
}

/** What of an expression is looked for among the tokens of `chunks_fts`: all but mere parts of words. */
export function tokensIn(expression: Expression): Expression {
  if (expression.kind !== 'or') return expression;
  return { kind: 'or', operands: expression.operands.filter((part) => !isMerePart(part)) };
}

/** An expression of plain words in the tokens of `store_cjk`. */
export function bigramsIn(expression: Expression): Expression {
  switch (expression.kind) {
    case 'terms':
      return { kind: 'terms', terms: expression.terms.map(({ text }) => bigramPhrase(text)) };
    case 'not':
      return {
        kind: 'not',
        wanted: bigramsIn(expression.wanted),
        unwanted: bigramsIn(expression.unwanted),
      };
    default:
      return { kind: expression.kind, operands: expression.operands.map(bigramsIn) };
  }
}

function isMerePart(expression: Expression): boolean {
  return expression.kind === 'terms' && expression.terms.every(({ inRun }) => inRun === 'only');
}

function operand(expression: Expression): string {
  const match = toFtsMatch(expression);
  return expression.kind === 'terms' ? match : `(${match})`;
}

/** NUL would end the query text early. */
function quoted({ text, prefix }: Term): string {
  return `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"${prefix ? ' *' : ''}`;
}
