import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Page } from '../server/register-routes.js';

/**
 * The pages for people, read from the folder into which `npm run build` puts them: the API description at `/docs`, and
 * either it or the console at `/`. Returns none if there is no such folder. The files contain no data; they request it.
 */
export async function webPages(
  directory: string,
  start: 'console' | 'docs',
): Promise<readonly Page[]> {
  const files = await readdir(directory).catch((): readonly string[] => []);
  if (!files.includes('index.html')) return [];
  const [console, docs] = await Promise.all(
    ['index.html', 'docs.html'].map((name) => readFile(join(directory, name), 'utf8')),
  );
  const shell = (text = '') =>
    ({ type: 'html', headers: SHELL_HEADERS, read: () => text }) as const;
  const names = await readdir(join(directory, ASSETS));
  return [
    {
      path: '/',
      access: 'open',
      ...shell(start === 'docs' ? docs : console),
    },
    { path: '/docs', ...shell(docs) },
    ...(await Promise.all(names.map((name) => assetPage(directory, name)))),
  ];
}

const ASSETS = 'assets';

/** Serves an asset with a long cache time: its name contains a hash of its content, so it never changes. */
async function assetPage(directory: string, name: string): Promise<Page> {
  const text = await readFile(join(directory, ASSETS, name), 'utf8');
  return {
    path: `/${ASSETS}/${name}`,
    type: TYPES[extname(name)] ?? 'text',
    access: 'open',
    headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    read: () => text,
  };
}

const TYPES: Readonly<Record<string, Page['type']>> = { '.js': 'js', '.css': 'css', '.svg': 'svg' };

/** Restricts the pages to loading from and calling their own service, and to creating no markup from text. */
const SHELL_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};
