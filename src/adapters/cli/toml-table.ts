/**
 * Adds and removes one table of a TOML file, and keeps every other byte of it. The file is read as statements:
 * headers of tables, and keys with their values.
 */

interface Statement {
  readonly kind: 'header' | 'entry';
  /** What is between the brackets of a header, or before the `=` of an entry, without spaces and quotes. */
  readonly name: string;
  readonly start: number;
}

/** The text with the table, in place of the one of that name if there is one. @throws Error if it is not TOML */
export function tomlWith(
  text: string,
  table: string,
  entries: Readonly<Record<string, string | readonly string[]>>,
): string {
  const rest = tomlWithout(text, table) ?? text;
  const lines = Object.entries(entries).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const before = rest.trim() === '' ? '' : `${rest.trimEnd()}\n\n`;
  return `${before}[${table}]\n${lines.join('\n')}\n`;
}

/** The text without the table and those below it; undefined if there is none. @throws Error if it is not TOML */
export function tomlWithout(text: string, table: string): string | undefined {
  const statements = statementsOf(text);
  const [parent = ''] = table.split('.');
  const header = statements.findIndex(({ kind }) => kind === 'header');
  const atTop = header === -1 ? statements : statements.slice(0, header);
  if (atTop.some(({ name }) => name === parent || name.startsWith(`${parent}.`))) {
    throw new Error(`it sets ${parent} without a table`);
  }
  const headers = statements.filter(({ kind }) => kind === 'header');
  const parts = headers.map(({ name, start }, i) => ({
    name,
    text: text.slice(start, headers[i + 1]?.start),
  }));
  const kept = parts.filter(({ name }) => name !== table && !name.startsWith(`${table}.`));
  if (kept.length === parts.length) return undefined;
  return text.slice(0, headers[0]?.start) + kept.map((part) => part.text).join('');
}

function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  const scanner = new Scanner(text);
  for (let start = scanner.nextStatement(); start !== undefined; start = scanner.nextStatement()) {
    statements.push(scanner.statement(start));
  }
  return statements;
}

const HEADER = /\[\[?([^[\]\n]+)\]\]?/y;
const KEY =
  /((?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*)[ \t]*=/y;
const BLANK = /(?:[ \t\r\n]|#[^\n]*)+/y;
const STRING = /"""[\s\S]*?(?<!\\)"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const PLAIN = /[\w.:+-]+(?: \d[\d:.]*(?:Z|[+-][\d:]+)?)?/y;
const REST_OF_LINE = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, ' ');
  }

  /** Where the next statement begins; undefined at the end. */
  nextStatement(): number | undefined {
    this.#take(BLANK);
    return this.#at < this.#text.length ? this.#at : undefined;
  }

  statement(start: number): Statement {
    const header = this.#take(HEADER);
    const name = header ?? this.#need(KEY);
    if (header === undefined) this.#value();
    this.#need(REST_OF_LINE);
    const kind = header === undefined ? 'entry' : 'header';
    return { kind, name: name.replace(/["'\s]/g, ''), start };
  }

  #value(): void {
    this.#take(/[ \t]+/y);
    const open = this.#text[this.#at];
    if (open === '[') this.#list(']');
    else if (open === '{') this.#list('}');
    else if (this.#take(STRING) === undefined) this.#need(PLAIN);
  }

  #list(close: ']' | '}'): void {
    this.#at += 1;
    for (this.#take(BLANK); this.#text[this.#at] !== close; this.#take(BLANK)) {
      if (close === '}') this.#need(KEY);
      this.#value();
      this.#take(BLANK);
      if (this.#text[this.#at] === ',') this.#at += 1;
      else if (this.#text[this.#at] !== close) throw notToml();
    }
    this.#at += 1;
  }

  /** What is captured, else what is matched, at this place; undefined if nothing matches. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match[1] ?? match[0];
  }

  #need(pattern: RegExp): string {
    const found = this.#take(pattern);
    if (found === undefined) throw notToml();
    return found;
  }
}

function notToml(): Error {
  return new Error('it is not TOML');
}
