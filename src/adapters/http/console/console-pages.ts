import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { START_PATH } from '../openapi/documents.js';
import type { Page } from '../routes/register-routes.js';

/**
 * The console as pages, from the folder in which `npm run build` puts it; undefined if it is not there. Its files hold
 * no data, so they need no token.
 */
export async function consolePages(directory: string): Promise<readonly Page[] | undefined> {
  const shell = await readFile(join(directory, 'index.html'), 'utf8').catch(() => undefined);
  if (shell === undefined) return undefined;
  const names = await readdir(join(directory, ASSETS));
  return [
    shellPage(shell),
    ...(await Promise.all(names.map((name) => assetPage(directory, name)))),
  ];
}

const ASSETS = 'assets';

function shellPage(shell: string): Page {
  const page = { path: START_PATH, type: 'html', access: 'open', audience: 'browsers' } as const;
  return { ...page, headers: SHELL_HEADERS, read: () => shell };
}

/** The name of an asset has a hash of its content, so it never changes. */
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

/** The console loads and asks its own service only, and makes no markup from text. */
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
