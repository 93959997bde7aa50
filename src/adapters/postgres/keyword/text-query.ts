import type { Expression, Term } from '../../../domain/query/expression.js';
import { tokenize } from '../../stemmer/tokens.js';
import { isIndexed } from '../chunks/indexed-words.js';

/** A term that adds to the relevance of the chunks that contain it. */
export interface RankedTerm {
  readonly tokens: readonly string[];
  readonly isPrefix: boolean;
  /** The `tsquery` of the term. */
  readonly query: string;
  /** A `tsquery`: the term counts in chunks that match the part of the expression that it belongs to. */
  readonly scope: string;
}

/** An expression for full-text search; made of tokens, so that a caller's text is never read as syntax. */
export interface TextQuery {
  /** A `tsquery` as text. */
  readonly match: string;
  readonly terms: readonly RankedTerm[];
  /** Whether any single word is enough. */
  readonly isAnyWord: boolean;
}

/** Undefined if nothing is left to search for. */
export function toTextQuery(expression: Expression): TextQuery | undefined {
  const match = toMatch(expression);
  if (match === undefined) return undefined;
  const terms = rankedTerms(expression, match);
  const operands = expression.kind === 'or' ? expression.operands : [expression];
  const isAnyWord =
    operands.every((operand) => operand.kind === 'terms' && operand.terms.length === 1) &&
    terms.every(({ tokens, isPrefix }) => tokens.length === 1 && !isPrefix);
  return { match, terms, isAnyWord };
}

/** The query, limited to texts in which one of these terms also occurs with the weight A. */
export function withWeighty(query: TextQuery, { terms }: TextQuery): TextQuery {
  const weighty = terms.flatMap(({ tokens, isPrefix }) =>
    tokens.map((token) => `'${toLexeme(token)}':${isPrefix ? '*' : ''}A`),
  );
  return { ...query, match: `(${query.match} & (${weighty.join(' | ')}))`, isAnyWord: false };
}

/** Terms without a token are ignored; a node that has no other terms matches nothing. */
function toMatch(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'terms':
      return joined(
        expression.terms.flatMap((term) => termQuery(term) ?? []),
        '&',
      );
    case 'and': {
      const operands = expression.operands.map(toMatch);
      const known = operands.filter((operand) => operand !== undefined);
      return known.length < operands.length ? undefined : joined(known, '&');
    }
    case 'or':
      return joined(
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
 * A token that is too long to be indexed matches nothing: our lexemes never consist of punctuation.
 */
function toLexeme(token: string): string {
  return isIndexed(token) ? token : '_';
}

function joined(queries: readonly string[], operator: '&' | '|'): string | undefined {
  return queries.length === 0 ? undefined : `(${queries.join(` ${operator} `)})`;
}
