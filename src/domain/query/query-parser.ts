import { QUERY_MAX_NESTING, QUERY_MAX_PREFIXES, QUERY_MAX_TERMS } from '../limits.js';
import { normalizeText } from '../text.js';
import type { Expression, Term } from './expression.js';

/**
 * Parses a structured query by the grammar of FTS5, without column filters, NEAR, `+` and `^`. Implicit AND (adjacent
 * terms) binds tightest, then NOT, AND, OR, each from left to right; as in FTS5 a parenthesis is never adjacent to a
 * term. Returns undefined for text that does not parse, has no operator, or exceeds a limit. Source:
 * sqlite.org/fts5.html, section 3, "Full-text Query Syntax".
 */
export function parseStructured(text: string): Expression | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined || !tokens.some(isStructural)) return undefined;
  const words = tokens.reduce((sum, token) => sum + countWords(token), 0);
  return words > QUERY_MAX_TERMS ? undefined : new Parser(withFewPrefixes(tokens)).parse();
}

/** Each word of a phrase counts, because FTS5 compares all of them wherever the first one occurs. */
function countWords(token: Token): number {
  return token.kind === 'term' ? Math.max(1, token.term.text.match(WORD)?.length ?? 0) : 0;
}

const WORD = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;

/**
 * The unquoted words of a structured query, in runs of adjacent words separated by operators and quotes; runs may be
 * empty.
 */
export function bareWordRuns(text: string): readonly (readonly string[])[] {
  const runs: string[][] = [[]];
  for (const token of tokenize(text) ?? []) {
    if (token.kind === 'term' && !token.quoted) runs.at(-1)?.push(token.term.text);
    else runs.push([]);
  }
  return runs;
}

type Token =
  | { readonly kind: 'and' | 'or' | 'not' | 'open' | 'close' }
  | { readonly kind: 'term'; readonly term: Term; readonly quoted: boolean };

const OPERATORS: Readonly<Record<string, Token>> = {
  AND: { kind: 'and' },
  OR: { kind: 'or' },
  NOT: { kind: 'not' },
  '(': { kind: 'open' },
  ')': { kind: 'close' },
};

/**
 * FTS5's barewords consist of ASCII letters and digits, `_`, and everything beyond ASCII. An operator is
 * never a prefix, and a `*` must directly follow the word that it extends.
 */
const TOKEN =
  /[ \t\n\r]+|[()]|(?:AND|OR|NOT)(?![A-Za-z0-9_\u0080-\u{10ffff}])|(?:"((?:[^"]|"")*)"(?:[ \t\n\r]*(?=\*))?|([A-Za-z0-9_\u0080-\u{10ffff}]+))(\*(?=[ \t\n\r)]|$))?/uy;

function tokenize(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) return undefined;
    const token = toToken(match);
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

function toToken(match: RegExpExecArray): Token | undefined {
  const [whole, quoted, bare, star] = match;
  const operator = Object.hasOwn(OPERATORS, whole) ? OPERATORS[whole] : undefined;
  if (operator !== undefined) return operator;
  const written = quoted?.replaceAll('""', '"') ?? bare;
  if (written === undefined) return undefined;
  const term = { text: normalizeText(written), prefix: star !== undefined };
  return { kind: 'term', term, quoted: quoted !== undefined };
}

function isStructural(token: Token): boolean {
  return token.kind !== 'term' || token.quoted || token.term.prefix;
}

/** Drops stars beyond the first {@link QUERY_MAX_PREFIXES}; their words stay. */
function withFewPrefixes(tokens: readonly Token[]): readonly Token[] {
  let prefixes = 0;
  return tokens.map((token) => {
    if (token.kind !== 'term' || !token.term.prefix) return token;
    prefixes += 1;
    if (prefixes <= QUERY_MAX_PREFIXES) return token;
    return { ...token, term: { ...token.term, prefix: false } };
  });
}

/** Recursive descent; every method returns undefined if the text does not parse. */
class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression | undefined {
    const expression = this.#or();
    return this.#next === this.#tokens.length ? expression : undefined;
  }

  #or(): Expression | undefined {
    return this.#chain('or', () => this.#and());
  }

  #and(): Expression | undefined {
    return this.#chain('and', () => this.#not());
  }

  #not(): Expression | undefined {
    let wanted = this.#primary();
    while (wanted !== undefined && this.#accept('not')) {
      const unwanted = this.#primary();
      wanted = unwanted && { kind: 'not', wanted, unwanted };
    }
    return wanted;
  }

  #chain(kind: 'and' | 'or', operand: () => Expression | undefined): Expression | undefined {
    const operands: Expression[] = [];
    do {
      const parsed = operand();
      if (parsed === undefined) return undefined;
      operands.push(parsed);
    } while (this.#accept(kind));
    return operands.length === 1 ? operands[0] : { kind, operands };
  }

  #primary(): Expression | undefined {
    if (!this.#accept('open')) return this.#terms();
    this.#depth += 1;
    if (this.#depth > QUERY_MAX_NESTING) return undefined;
    const expression = this.#or();
    this.#depth -= 1;
    return this.#accept('close') ? expression : undefined;
  }

  #terms(): Expression | undefined {
    const terms: Term[] = [];
    for (let token = this.#tokens[this.#next]; token?.kind === 'term'; ) {
      terms.push(token.term);
      this.#next += 1;
      token = this.#tokens[this.#next];
    }
    return terms.length === 0 ? undefined : { kind: 'terms', terms };
  }

  #accept(kind: Token['kind']): boolean {
    if (this.#tokens[this.#next]?.kind !== kind) return false;
    this.#next += 1;
    return true;
  }
}
