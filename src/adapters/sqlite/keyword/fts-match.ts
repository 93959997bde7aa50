import type { Expression, Term } from '../../../domain/query/expression.js';

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

function operand(expression: Expression): string {
  const match = toFtsMatch(expression);
  return expression.kind === 'terms' ? match : `(${match})`;
}

/** NUL would end the query text early. */
function quoted({ text, prefix }: Term): string {
  return `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"${prefix ? ' *' : ''}`;
}
