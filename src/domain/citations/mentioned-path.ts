/**
 * Whether a word can be the path of a file of the project.
 * @param isMarked whether the word is in a code span or the target of a link; asked only where it matters
 */
export function isPath(path: string, isMarked: () => boolean): boolean {
  const extension = EXTENSION.exec(path)?.[1]?.toLowerCase();
  if (!path.includes('/')) return isFileName(path, extension) && NAME.test(path);
  const folders = path.replace(/^(\.\.\/)+/, '').split('/');
  const name = folders.pop() ?? '';
  if (extension === undefined && (name.startsWith('.') || !isMarked())) return false;
  if (!NAME.test(name) || !folders.every((folder) => FOLDER.test(folder))) return false;
  return folders.length === 0 || !(DOMAIN.test(folders[0] ?? '') || MEDIA_TYPE.test(path));
}

/** What can be a file without a folder before it. */
function isFileName(name: string, extension: string | undefined): boolean {
  if (name.startsWith('.')) return DOT_FILE.test(name);
  return extension !== undefined && KNOWN.has(extension) && !PRODUCT.test(name);
}

/** No `@` at the beginning, which is an alias or a package; parentheses and brackets are routes of web frameworks. */
const FOLDER = /^(?!\.+$)[\p{L}\p{N}_$.([][\p{L}\p{N}_$.+@()[\]-]*$/u;
const NAME = /^(?!\.+$)[\p{L}\p{N}_$.[][\p{L}\p{N}_$.+[\]-]*$/u;
const EXTENSION = /[^./]\.([a-z][a-z0-9]{0,9})$/i;
const DOMAIN = /^www\.|\.(?:com|org|net|io|dev|app|ai|de|co|edu|gov)$/i;
const MEDIA_TYPE = /^(?:application|audio|font|image|message|model|multipart|text|video)\/[^/]+$/i;
const PRODUCT =
  /^(?:[A-Z]\p{L}*|(?:node|next|nuxt|vue|react|express|three|chart|d3|p5|deno|bun)\d*)\.js$/u;
const DOT_FILE =
  /^\.(?:babel|docker|editorconfig|env|eslint|git|husky|node-version|npm|nvm|prettier)[\w.-]*$/;

/** Extensions of files without a folder before them, by which they differ from `request.body` and `user.name`. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'adoc astro bash bat c cc cfg cjs clj cpp cs css csv cts cue dart ejs erl ex exs fs go gql gradle graphql h hbs ' +
    'hcl hpp hs htm html ini ipynb java jl js json json5 jsonc jsx kt kts less lock lua md mdx mjs ml mts php pl prisma ' +
    'proto ps1 py r rb rs rst sass scala scss sh sol sql svelte svg swift tf toml ts tsv tsx txt vue wasm xml yaml yml zig'
  ).split(' '),
);
