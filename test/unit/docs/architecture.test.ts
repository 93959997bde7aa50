import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STORE_BACKENDS } from '../../../src/app/config/config.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Imports that the architecture forbids, each planted into a copy of the source. */
const VIOLATIONS: Readonly<Record<string, string>> = {
  'src/domain/planted-port.ts': "import '../ports/clock.js';",
  'src/domain/planted-built-in.ts': "import 'node:crypto';",
  'src/domain/planted-package.ts': "import 'zod';",
  'src/shared/planted-domain.ts': "import '../domain/limits.js';",
  'src/domain/planted-shared.ts': "import '../shared/concurrency.js';",
  'src/ports/planted-app.ts': "import '../app/search/search.js';",
  'src/ports/planted-package.ts': "import 'better-sqlite3';",
  'src/app/planted-adapter.ts': "import '../adapters/sqlite/chunks/chunk-rows.js';",
  'src/app/planted-wiring.ts': "import './wiring/tokens.js';",
  'src/app/wiring/planted-mcp-server.ts':
    "import '../../adapters/mcp/server/create-mcp-server.js';",
  'src/app/planted-built-in.ts': "import 'node:fs';",
  'src/app/planted-package.ts': "import 'inversify';",
  'src/adapters/http/planted-neighbour.ts': "import '../sqlite/chunks/chunk-rows.js';",
  'src/adapters/http/planted-app.ts': "import '../../app/search/search.js';",
  'src/adapters/files/planted-package.ts': "import 'better-sqlite3';",
  'src/adapters/sqlite/planted-package.ts': "import 'zod';",
  'src/schemas/planted-port.ts': "import '../ports/clock.js';",
  'src/adapters/sqlite/planted-schema.ts': "import '../../schemas/fields.js';",
  'src/domain/planted-circle.ts':
    "import { b } from './planted-circle-b.js'; export const a = () => b;",
  'src/domain/planted-circle-b.ts':
    "import { a } from './planted-circle.js'; export const b = () => a;",
  'src/domain/planted-type-circle.ts':
    "import type { B } from './planted-type-circle-b.js'; export type A = B | 1;",
  'src/domain/planted-type-circle-b.ts':
    "import type { A } from './planted-type-circle.js'; export type B = A | 2;",
  'src/adapters/postgres/planted-neighbour.ts': "import '../sqlite/chunks/chunk-rows.js';",
  'src/adapters/sqlite/planted-stemmer.ts': "import 'stemmer';",
  'bench/planted-circle.ts': "import { b } from './planted-circle-b.js'; export const a = () => b;",
  'bench/planted-circle-b.ts': "import { a } from './planted-circle.js'; export const b = () => a;",
  'console/planted-route.ts':
    "import { hybridRoutes } from '../src/app/routes/hybrid-api.js'; hybridRoutes;",
  'console/planted-app.ts': "import '../src/app/search/search.js';",
  'console/planted-package.ts': "import 'express';",
  'src/domain/planted-orphan.ts': 'export const nobody = 1;',
};

describe('the rules of dependency', () => {
  let folder = '';
  let report = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'architecture-'));
    for (const name of ['src', 'package.json', 'tsconfig.json', '.dependency-cruiser.mjs']) {
      await cp(join(ROOT, name), join(folder, name), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const [path, source] of Object.entries(VIOLATIONS)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), `${source}\n`);
    }
    report = await cruise(folder);
  }, 60_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(Object.keys(VIOLATIONS))('report the planted %s', (path) => {
    expect(report).toContain(path);
  });

  it('are tried with imports of files that exist, since one that does not is reported in any case', () => {
    const missing = Object.entries(VIOLATIONS).filter(([path, source]) => {
      const imported = /'(\..*)\.js'/.exec(source)?.[1];
      return imported && !existsSync(join(folder, dirname(path), `${imported}.ts`));
    });
    expect(missing).toEqual([]);
  });

  it('report nothing that was not planted', () => {
    const lines = report.split('\n').filter((line) => line.includes('error '));
    expect(lines.filter((line) => !line.includes('planted'))).toEqual([]);
  });
});

describe('the domain', () => {
  it('reads no clock, no environment and no randomness', async () => {
    const impure =
      /\bnew Date\(\)|Date\.now|Math\.random|\bprocess\.(?!env`)|performance\.|setTimeout/;
    expect(await filesMatching('src/domain', impure)).toEqual([]);
  });

  it('waits for nothing', async () => {
    expect(await filesMatching('src/domain', /\b(?:async|await)\b|\bPromise</)).toEqual([]);
  });
});

describe('a variant or a backend', () => {
  it('is never checked by a condition', async () => {
    const names = ['search-only', ...STORE_BACKENDS].join('|');
    const condition = new RegExp(`variant\\s*[!=]==|[!=]==\\s*'(${names})'`);
    expect(await filesMatching('src', condition)).toEqual([]);
  });

  it('is named in the configuration, the wiring and the example of the library only', async () => {
    const named = await filesMatching('src', /'(search-only|sqlite)'/);
    const rooms = /^src\/(index\.ts|app\/(config|wiring)\/)/;
    expect(named.filter((path) => !rooms.test(path))).toEqual([]);
  });
});

describe('a source file', () => {
  it('has at most 200 lines', async () => {
    const isLong = async (path: string) => {
      const text = await readFile(join(ROOT, path), 'utf8');
      return text.trimEnd().split('\n').length > 200;
    };
    expect(await sourceFiles('src', isLong)).toEqual([]);
    expect(await sourceFiles('console', isLong)).toEqual([]);
  });

  it('has comments of at most 120 columns', async () => {
    const isWide = async (path: string) => {
      const lines = (await readFile(join(ROOT, path), 'utf8')).split('\n');
      return lines.some((line) => line.length > 120 && /^\s*(?:\/\*\*|\*|\/\/) /.test(line));
    };
    expect(await sourceFiles('src', isWide)).toEqual([]);
    expect(await sourceFiles('console', isWide)).toEqual([]);
  });
});

// Helpers

/** The report of dependency-cruiser, which exits with the number of errors. */
async function cruise(cwd: string): Promise<string> {
  const program = join(ROOT, 'node_modules/.bin/depcruise');
  const args = ['src', 'bench', 'console', '--config', '.dependency-cruiser.mjs'];
  const run = promisify(execFile)(program, args, { cwd });
  return run.then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  );
}

function filesMatching(folder: string, pattern: RegExp): Promise<readonly string[]> {
  return sourceFiles(folder, async (path) =>
    pattern.test(await readFile(join(ROOT, path), 'utf8')),
  );
}

async function sourceFiles(
  folder: string,
  matches: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true });
  const paths = names
    .filter((name) => /\.(tsx?|css)$/.test(name))
    .map((name) => `${folder}/${name}`);
  const hits = await Promise.all(paths.map(matches));
  return paths.filter((_, index) => hits[index]);
}
