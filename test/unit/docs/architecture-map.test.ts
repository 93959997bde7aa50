import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TEXT = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

describe('the map of ARCHITECTURE.md', () => {
  const named = rowsOf('## Where to find things')
    .flatMap(codeSpans)
    .flatMap(expanded)
    .filter((path) => path.startsWith('src/'));

  it.each(['src/app', 'src/domain', 'src/adapters'])('names every folder below %s', (room) => {
    const missing = foldersBelow(room).filter((folder) => !named.includes(folder));
    expect(missing).toEqual([]);
  });

  it('names only files and folders that exist', () => {
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

it('ARCHITECTURE.md looks for a name only in a file that has it', () => {
  const named = Array.from(TEXT.matchAll(/`(#?\w+)`\s+in\s+`([\w/{},-]+\.ts)`/g));
  expect(named.length).toBeGreaterThan(4);
  const missing = named.filter(([, symbol = '', file = '']) => !occurs(symbol, file));
  expect(missing.map(([text]) => text)).toEqual([]);
});

describe('the walk of ARCHITECTURE.md', () => {
  it.each(['a search', 'an ingestion', 'a note'])('of %s names only files that exist', (what) => {
    const rows = rowsOf(`### The path of ${what}`);
    const files = rows.flatMap((row) => codeSpans(row.split('|')[1] ?? ''));
    const paths = files.filter((path) => path.includes('/'));
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !isSource(path))).toEqual([]);
  });
});

// Helpers

const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts'));

/** Whether every file that the path means has the name. */
function occurs(symbol: string, path: string): boolean {
  const name = new RegExp(String.raw`(?<![\w#])${symbol}\b`);
  return expanded(path).every((end) =>
    SOURCES.some(
      (source) =>
        `/${source}`.endsWith(`/${end}`) && name.test(readFileSync(join(ROOT, source), 'utf8')),
    ),
  );
}

/** The rows of the tables below a heading, without their heads. */
function rowsOf(heading: string): readonly string[] {
  const [, section = ''] = TEXT.split(`\n${heading}\n`);
  const [own = ''] = section.split(/\n#{2,3} /);
  return own.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
}

function codeSpans(text: string): readonly string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, span = '']) => span);
}

/** The paths that `a/{b,c}.ts` means. */
function expanded(span: string): readonly string[] {
  const [before, list, after] = span.split(/[{}]/);
  return list?.split(',').map((name) => `${before}${name}${after}`) ?? [span];
}

/** The folders below a room that have files of their own, from the root, with slashes. */
function foldersBelow(room: string): readonly string[] {
  const entries = readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath }) => relative(ROOT, parentPath).replaceAll('\\', '/'));
  return [...new Set(folders)].filter((folder) => folder !== room).toSorted();
}

/** Walks leave out `src`, and `adapters`. */
function isSource(path: string): boolean {
  return ['src', 'src/adapters'].some((room) => existsSync(join(ROOT, room, `${path}.ts`)));
}
