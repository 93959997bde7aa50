import type { Expression, Term } from './expression.js';

/**
 * An expression in the query language of FTS5. Every term is quoted, so that callers' text is never read as syntax.
 * Terms are joined by implicit AND, which lets FTS5 ignore terms without a token.
 */
export function toFtsMatch(expression: Expression): string {
  switch (expression.kind) {
    case 'terms':
      return expression.terms.map(quoteTerm).join(' ');
    case 'not':
      return `${operand(expression.wanted)} NOT ${operand(expression.unwanted)}`;
    default:
      return expression.operands.map(operand).join(expression.kind === 'and' ? ' AND ' : ' OR ');
  }
}

function operand(expression: Expression): string {
  const match = toFtsMatch(expression);
  return expression.kind === 'terms' ? match : `(${match})`;
}

/** A NUL would end the query text early. */
function quoteTerm({ text, prefix }: Term): string {
  return `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"${prefix ? ' *' : ''}`;
}
