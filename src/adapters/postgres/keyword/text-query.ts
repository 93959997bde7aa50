import type { Expression, Term } from '../../../domain/query/expression.js';
import { tokenize } from '../../stemmer/tokens.js';
import { isIndexed } from '../chunks/indexed-words.js';

/** A term that adds to the relevance of the chunks that contain it. */
export interface RankedTerm {
  readonly tokens: readonly string[];
  readonly isPrefix: boolean;
  /** The `tsquery` of the term. */
  readonly query: string;
  /**
   * A `tsquery` of the part of the expression to which the term belongs. The term counts only in chunks that match it.
   */
  readonly scope: string;
}

/** An expression for full-text search. It consists of tokens, so that the caller's text is never read as syntax. */
export interface TextQuery {
  /** A `tsquery` in text form. */
  readonly match: string;
  readonly terms: readonly RankedTerm[];
}

/** Translates an expression; undefined if nothing is left to search for. */
export function toTextQuery(expression: Expression): TextQuery | undefined {
  const match = toMatch(expression);
  if (match === undefined) return undefined;
  return { match, terms: rankedTerms(expression, match) };
}

/** Restricts a query to texts in which one of these terms also occurs with weight A. */
export function withWeighty(query: TextQuery, { terms }: TextQuery): TextQuery {
  const weighty = terms.flatMap(({ tokens, isPrefix }) =>
    tokens.map((token) => `'${toLexeme(token)}':${isPrefix ? '*' : ''}A`),
  );
  return { ...query, match: `(${query.match} & (${weighty.join(' | ')}))` };
}

/**
 * Translates an expression to a `tsquery`. Ignores terms without a token; a node with no other terms matches nothing.
 */
function toMatch(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'terms':
      return joinQueries(
        expression.terms.flatMap((term) => termQuery(term) ?? []),
        '&',
      );
    case 'and': {
      const operands = expression.operands.map(toMatch);
      const known = operands.filter((operand) => operand !== undefined);
      return known.length < operands.length ? undefined : joinQueries(known, '&');
    }
    case 'or':
      return joinQueries(
        expression.operands.flatMap((operand) => toMatch(operand) ?? []),
        '|',
      );
    case 'not': {
      const wanted = toMatch(expression.wanted);
      const unwanted = toMatch(expression.unwanted);
      return wanted && unwanted ? `(${wanted} & !${unwanted})` : wanted;
    }
  }
}

function rankedTerms(expression: Expression, scope: string): readonly RankedTerm[] {
  switch (expression.kind) {
    case 'terms':
      return expression.terms.flatMap((term) => rankedTerm(term, scope) ?? []);
    case 'and':
      return expression.operands.flatMap((operand) => rankedTerms(operand, scope));
    case 'or':
      return expression.operands.flatMap((operand) => {
        const match = toMatch(operand);
        return match === undefined ? [] : rankedTerms(operand, match);
      });
    case 'not':
      return rankedTerms(expression.wanted, scope);
  }
}

function rankedTerm(term: Term, scope: string): RankedTerm | undefined {
  const query = termQuery(term);
  if (query === undefined) return undefined;
  return { tokens: tokenize(term.text), isPrefix: term.prefix, query, scope };
}

function termQuery({ text, prefix }: Term): string | undefined {
  const tokens = tokenize(text);
  if (tokens.length === 0) return undefined;
  const phrase = tokens.map((token) => `'${toLexeme(token)}'`).join(' <-> ');
  return `(${phrase}${prefix ? ':*' : ''})`;
}

/**
 * Replaces a token that is too long to be indexed by one that matches nothing, since no lexeme of ours is punctuation.
 */
function toLexeme(token: string): string {
  return isIndexed(token) ? token : '_';
}

function joinQueries(queries: readonly string[], operator: '&' | '|'): string | undefined {
  return queries.length === 0 ? undefined : `(${queries.join(` ${operator} `)})`;
}
