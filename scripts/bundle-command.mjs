// Bundles the library, the command, the service and the workers that they start into a few files in `dist/bundle`, because loading 850 modules one by
// one takes most of the time of a short command (docs/decisions/0034-bundled-command.md). Runs after the compiler; with
// --without-compiler it reads the sources instead (scripts/build-after-install.mjs).
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist/bundle');
const HAS_COMPILER = !process.argv.includes('--without-compiler');

/** Each is started by its file; all land in one folder, where they find each other by name. */
const ENTRIES = [
  'index.js',
  'process/command.js',
  'process/worker.js',
  'process/local/local-service.js',
  'process/local/local-worker.js',
  'adapters/fetch/reading-worker.js',
  'adapters/sqlite/process/serve-tasks.js',
  'adapters/transformers/model/embedding-worker.js',
  'adapters/transformers/model/reranking-worker.js',
  'adapters/transformers/model/native-module-replacements.js',
];

/** Packages that stay as they are installed: native ones, those that load files, and those that are loaded when used. */
const EXTERNAL = [
  '@mozilla/readability',
  '@xenova/transformers',
  'express',
  'linkedom',
  'openai',
  'parse5',
  'pg',
  'prom-client',
  'sqlite-vec',
  'turndown',
];

rmSync(OUT, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: ENTRIES.map(HAS_COMPILER ? (file) => join('dist', file) : sourceOf),
  entryNames: '[name]',
  outdir: OUT,
  external: EXTERNAL,
  // Its main file asks for its parts in a way that cannot be followed.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  bundle: true,
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  metafile: true,
  logLevel: 'warning',
  // CommonJS packages ask for built-in modules by `require`.
  banner: {
    js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
  },
});
await joinCommand();
if (!HAS_COMPILER) await transpileStarters();
checkStartedFiles();
await breakLines();
writeFileSync(join(OUT, 'LICENSES.txt'), licences(Object.keys(metafile.inputs)));

/**
 * Makes one file of those that most commands load: Node takes half a millisecond for each. The others keep copies of these modules,
 * except of classes of errors, which `instanceof` tells apart.
 */
async function joinCommand() {
  const isEarly = (name) =>
    /^(?:declare|operations|app-directories|nearest-project|search-text)-/.test(name);
  const early = readdirSync(OUT).filter(isEarly);
  const joined = new Set();
  for (const name of ['command.js', ...early]) addImports(name, joined);
  for (const name of joined) if (/extends \w*Error\b/.test(textOf(name))) joined.delete(name);
  await build({
    entryPoints: [join(OUT, 'command.js')],
    outdir: OUT,
    allowOverwrite: true,
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [
      {
        name: 'joined files alone',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\// }, ({ path }) =>
            joined.has(path.slice(2)) ? undefined : { path, external: true },
          ),
      },
    ],
  });
}

/** Adds a file and those that it imports at once. */
function addImports(name, names) {
  if (names.has(name)) return;
  names.add(name);
  for (const [, other] of textOf(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    addImports(other, names);
  }
}

function textOf(name) {
  return readFileSync(join(OUT, name), 'utf8');
}

/** The two files that are started, which then load the bundle, and those that they import at once. */
async function transpileStarters() {
  const starters = new Set();
  for (const file of ['cli.js', 'main.js']) addStarter(join(ROOT, sourceOf(file)), starters);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...starters],
    outbase: 'src',
    outdir: 'dist',
    format: 'esm',
    target: 'node20',
  });
}

/** Adds a source and those that it imports from beside it. */
function addStarter(path, starters) {
  if (starters.has(path)) return;
  starters.add(path);
  const imported = readFileSync(path, 'utf8').matchAll(
    /^(?:import|export) (?!type ).*'(\.[^']+)\.js';$/gm,
  );
  for (const [, other] of imported) addStarter(`${join(dirname(path), other)}.ts`, starters);
}

function sourceOf(file) {
  return join('src', file.replace(/js$/, 'ts'));
}

/** @throws Error where the code names a file beside it that is not there */
function checkStartedFiles() {
  for (const file of readdirSync(OUT)) {
    for (const [, name] of textOf(file).matchAll(/"\.\/([\w-]+\.js)",import\.meta\.url/g)) {
      if (!existsSync(join(OUT, name))) throw new Error(`${name} is missing among the entries.`);
    }
  }
}

/** Node prints the line of an uncaught error, which should not be the whole file. */
async function breakLines() {
  for (const name of readdirSync(OUT)) {
    const { code } = await transform(textOf(name), {
      minifyWhitespace: true,
      lineLimit: 120,
      format: 'esm',
      target: 'node20',
    });
    writeFileSync(join(OUT, name), code);
  }
}

/** The licences of the packages that the bundle contains. */
function licences(inputs) {
  const folders = inputs.map((input) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  const packages = [...new Set(folders.filter((folder) => folder !== undefined))].sort();
  return packages
    .map((folder) => `${folder.slice(13)}\n\n${licenceIn(folder)}`)
    .join('\n\n---\n\n');
}

function licenceIn(folder) {
  const file = readdirSync(join(ROOT, folder)).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(join(ROOT, folder, file), 'utf8').trim();
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).license;
}
