import { fileName } from '../paths.js';

/**
 * Whether a word, or a text with spaces, can be the path of a project file.
 * @param isMarked whether it is in a code span or the target of a link
 */
export function isPath(path: string, isMarked: boolean): boolean {
  if (!PATH.test(path)) return false;
  if (!path.includes('/')) return isFileName(path) && (isMarked || !path.includes('@'));
  return HAS_EXTENSION.test(path) || (isMarked && !fileName(path).startsWith('.'));
}

/** Removes Markdown's underscores around a word, or at the end of an emphasized phrase that ends with a file. */
export function withoutEmphasis(named: string): string {
  const isEmphasized = named.startsWith('_') && named.endsWith('_');
  return isEmphasized ? named.replace(/^_+|(?<!_)_+$/g, '') : named.replace(AFTER_FILE, '');
}

/** No extension ends with an underscore. */
const AFTER_FILE = /(?<=\.[a-z][a-z0-9]{0,9}(?:[:#][\dL:-]{1,20})?)_{1,3}$/i;

/** Names that count as a file even without a folder. */
function isFileName(name: string): boolean {
  return name.startsWith('.') ? DOT_FILE.test(name) : FILE_NAME.test(name);
}

/**
 * A path with all characters usual in file names, but without wildcards and alternatives of patterns. The first name
 * begins like a word, or with the `@` of a scope; web frameworks use parentheses and brackets for routes.
 */
const NAME_CHARACTER = String.raw`[^\s\\:*?{}\x60"<>|/]`;
const NO_DOTS = String.raw`(?!\.+(?:/|$))`;
const FIRST = String.raw`${NO_DOTS}[\w\x80-\uffff$.([@](?:${NAME_CHARACTER}| )*`;
const LATER = `/${NO_DOTS}${NAME_CHARACTER}(?:${NAME_CHARACTER}| )*`;
const PATH = new RegExp(`^(?:\\.\\./)*${FIRST}(?:${LATER})*$`);
const HAS_EXTENSION = /[^./]\.[a-z][a-z0-9]{0,9}$/i;
const DOT_FILES = 'babel|docker|editorconfig|env|eslint|git|husky|node-version|npm|nvm|prettier';
const DOT_FILE = new RegExp(`^\\.(?:${DOT_FILES})[\\w.-]*$`);

/** Extensions that tell file names without a folder from expressions such as `request.body` and `user.name`. */
const EXTENSIONS =
  'adoc|astro|bash|bat|c|cc|cfg|cjs|clj|cpp|cs|css|csv|cts|cue|dart|ejs|erl|ex|exs|fs|go|gql|gradle|graphql|h|hbs|' +
  'hcl|hpp|hs|htm|html|ini|ipynb|java|jl|js|json|json5|jsonc|jsx|kt|kts|less|lock|lua|md|mdx|mjs|ml|mts|php|pl|prisma|' +
  'proto|ps1|py|r|rb|rs|rst|sass|scala|scss|sh|sol|sql|svelte|svg|swift|tf|toml|ts|tsv|tsx|txt|vue|wasm|xml|yaml|yml|zig';
const FILE_NAME = new RegExp(`[^.]\\.(?:${EXTENSIONS})$`, 'i');

/**
 * A quick test before the full pattern: a slash, or a dot followed by an extension. For patterns
 * that ignore case.
 */
export const PATH_HINT = `/(?=[\\w$.([@+~!%#-]|[^\\0-\\x7f])|\\.(?=(?:${EXTENSIONS})(?![a-z0-9])|${DOT_FILES})`;
