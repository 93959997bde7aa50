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

/** Those of the project itself, and not of what it uses or makes. */
function markdownFiles(folder = ''): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isOwnFolder(entry.name) ? markdownFiles(path) : [];
    return entry.name.endsWith('.md') ? [path] : [];
  });
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

/** As GitHub makes them of headings. */
function anchorsOf(text: string): readonly string[] {
  const titles = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm);
  return [...titles].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
