/**
 * The words of a CREATE statement that SQLite has accepted: bare words in upper case, quoted names and
 * literals as `''`, and single characters for all else. Comments are left out.
 */
export function tokensOf(sql: string): readonly string[] {
  return [...sql.matchAll(TOKEN)].flatMap(([token]) => {
    if (token.startsWith('--') || token.startsWith('/*')) return [];
    return [/^['"`[]/.test(token) ? "''" : token.toUpperCase()];
  });
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\w$\u0080-\uffff]+|\S/g;
