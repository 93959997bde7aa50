import { tokenize } from '../../src/adapters/stemmer/tokens.js';
import type { Expression, Term } from '../../src/domain/query/expression.js';
import type { SearchableText } from './chunks-in-fts5.js';

/** The indexes of the texts that an expression matches, found by comparing word by word. */
export function placesMatching(
  texts: readonly SearchableText[],
  expression: Expression,
): readonly number[] {
  return [...texts.keys()].filter((place) => {
    const { heading = '', content = '' } = texts[place] ?? {};
    return matches(expression, [tokenize(heading), tokenize(content)]);
  });
}

type Tokens = readonly string[];

function matches(expression: Expression, parts: readonly Tokens[]): boolean {
  switch (expression.kind) {
    case 'terms': {
      const counted = expression.terms.filter(({ text }) => tokenize(text).length > 0);
      return counted.length > 0 && counted.every((term) => parts.some((part) => has(part, term)));
    }
    case 'and':
      return expression.operands.every((operand) => matches(operand, parts));
    case 'or':
      return expression.operands.some((operand) => matches(operand, parts));
    case 'not':
      return matches(expression.wanted, parts) && !matches(expression.unwanted, parts);
  }
}

/** Whether the tokens of a term stand side by side. */
function has(tokens: Tokens, { text, prefix }: Term): boolean {
  const phrase = tokenize(text);
  return tokens.some((_, start) =>
    phrase.every((token, i) => {
      const present = tokens[start + i];
      return prefix && i === phrase.length - 1 ? present?.startsWith(token) : present === token;
    }),
  );
}
