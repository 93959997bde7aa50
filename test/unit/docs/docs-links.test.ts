import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

test.each(markdownFiles())('every link of %s leads somewhere', (file) => {
  const broken = linksOf(readFileSync(join(ROOT, file), 'utf8')).filter(
    (link) => !resolves(file, link),
  );
  expect(broken).toEqual([]);
});

test('every comment that cites a document names a heading that it has', () => {
  const broken = sourceFiles(['src', 'test', 'bench']).flatMap((file) =>
    citationsOf(readFileSync(join(ROOT, file), 'utf8'))
      .filter(({ path, heading }) => !hasHeading(path, heading))
      .map(({ path, heading }) => `${file}: ${path}, "${heading}"`),
  );
  expect(broken).toEqual([]);
});

test('no comment of the source cites a document that is not in the repository', () => {
  const homeless = sourceFiles(['src']).filter((file) =>
    /\((?:the )?(?:contract|specification)\b/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(homeless).toEqual([]);
});

function markdownFiles(): readonly string[] {
  return ownFiles('', '.md');
}

/** Files of the project itself, without those of its dependencies and build results. */
function ownFiles(folder: string, ending: string): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isOwnFolder(entry.name) ? ownFiles(path, ending) : [];
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

function sourceFiles(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => ownFiles(folder, '.ts'));
}

interface Citation {
  readonly path: string;
  readonly heading: string;
}

/**
 * Citations: the path of a document, a comma, and one or more headings in quotes; may span several lines of a
 * comment.
 */
function citationsOf(source: string): readonly Citation[] {
  const prose = source.replace(/\n\s*\*(?!\/) ?/g, ' ');
  return [...prose.matchAll(CITATION)].flatMap(([, path = '', headings = '']) =>
    [...headings.matchAll(/"([^"]+)"/g)].map(([, heading = '']) => ({ path, heading })),
  );
}

const CITATION = /\b((?:docs|bench)\/[\w/-]+\.md)`?, ("[^"]+"(?:(?:,| and)\s+"[^"]+")*)/g;

function hasHeading(path: string, heading: string): boolean {
  const file = join(ROOT, path);
  return existsSync(file) && titlesOf(readFileSync(file, 'utf8')).includes(heading);
}

function isOwnFolder(name: string): boolean {
  return (
    !name.startsWith('.') && !['node_modules', 'dist', 'data', 'coverage', 'results'].includes(name)
  );
}

function linksOf(text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

function resolves(file: string, link: string): boolean {
  if (/^(https?|mailto):/.test(link)) return true;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(ROOT, file) : join(ROOT, dirname(file), path);
  if (!existsSync(target) || relative(ROOT, target).startsWith('..')) return false;
  return anchor === undefined || anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
}

function titlesOf(text: string): readonly string[] {
  const titles = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm);
  return [...titles].map(([, title = '']) => title);
}

/** The anchors that GitHub generates for the headings of a text. */
function anchorsOf(text: string): readonly string[] {
  return titlesOf(text).map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
