import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const VITEST = fileURLToPath(new URL('vitest.mjs', import.meta.url));

/**
 * Compiles tests and their sources into `outdir`. Returns the compiled file and the sources of each test. Importing a
 * test again, with a query, runs it again without loading the sources again.
 */
export async function bundle({ tests, outdir }) {
  const { metafile } = await build({
    absWorkingDir: process.cwd(),
    entryPoints: tests,
    outdir,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    metafile: true,
    logLevel: 'error',
    plugins: [vitestHere, ownUrls],
  });
  // Modules imported on demand are loaded before the tests, like all others, so that no test is charged for their
  // constants.
  const outputs = Object.entries(metafile.outputs).filter(
    ([, { entryPoint }]) => entryPoint !== undefined && !tests.includes(entryPoint),
  );
  for (const [path] of outputs) await import(pathToFileURL(resolve(path)).href);
  return tests.map((test) => ({
    test,
    path: join(outdir, test.replace(/\.ts$/, '.mjs')),
    sources: reachable(metafile.inputs, test),
  }));
}

function reachable(inputs, from, seen = new Set()) {
  if (seen.has(from) || inputs[from] === undefined) return seen;
  seen.add(from);
  for (const { path } of inputs[from].imports) reachable(inputs, path, seen);
  return seen;
}

const vitestHere = {
  name: 'vitest here',
  setup({ onResolve }) {
    onResolve({ filter: /^vitest$/ }, () => ({ path: pathToFileURL(VITEST).href, external: true }));
  },
};

/** Lets sources find files next to themselves instead of next to the bundle. */
const ownUrls = {
  name: 'own URLs',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|test)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};
