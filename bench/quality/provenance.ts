import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';

/** The software and hardware of a run: enough to repeat it, without anything that identifies the machine. */
export interface Provenance {
  /** ISO 8601. */
  readonly date: string;
  readonly commit: string;
  /** Whether the sources had uncommitted changes. */
  readonly tree: 'clean' | 'changed' | 'unknown';
  readonly node: string;
  readonly sqlite: string;
  readonly packages: Readonly<Record<string, string>>;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly system: string;
  };
}

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

export function readProvenance(): Provenance {
  const changes = git('status', '--porcelain', '--', 'src', 'package.json', 'package-lock.json');
  return {
    date: new Date().toISOString(),
    commit: git('rev-parse', 'HEAD') ?? 'unknown',
    tree: changes === undefined ? 'unknown' : changes === '' ? 'clean' : 'changed',
    node: process.version,
    sqlite: sqliteVersion(),
    packages: packageVersions(),
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${platform()} ${arch()} ${release()}`,
    },
  };
}

/** The output of git; undefined without git or a repository. */
function git(...command: readonly string[]): string | undefined {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', command, {
      cwd: CHECKOUT,
      encoding: 'utf8',
      stdio: [...stdio],
    }).trim();
  } catch {
    return undefined;
  }
}

function sqliteVersion(): string {
  const db = new Database(':memory:');
  const version = db.prepare<[], string>('SELECT sqlite_version()').pluck().get();
  db.close();
  return version ?? 'unknown';
}

function packageVersions(): Readonly<Record<string, string>> {
  const { dependencies } = readJson(join(CHECKOUT, 'package.json'));
  return Object.fromEntries(
    Object.keys(dependencies as object).map((name) => {
      const { version } = readJson(join(CHECKOUT, 'node_modules', name, 'package.json'));
      return [name, String(version)];
    }),
  );
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(path, 'utf8'));
}
