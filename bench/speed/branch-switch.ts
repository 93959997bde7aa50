import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { appDirectories } from '../../dist/adapters/files/app-directories.js';
import { FileSystemProjectFiles } from '../../dist/adapters/files/file-system-project-files.js';
import { configOf } from '../../dist/app/config/read-config.js';
import { backendsModule } from '../../dist/app/wiring/backends.js';
import { createService } from '../../dist/app/wiring/container.js';

/**
 * Switches the branch of a git project that is in use, and prints how often its files are read, how long the
 * index takes to follow, how long the event loop stands still meanwhile, and how long searches take:
 *
 *   npm run bench:branch -- [changed files = 10000] [folders = 100] [threads = 2]
 *
 * Exits with 1 if a file is read twice, or the index does not hold the new branch afterwards.
 */
const [changed = '10000', folders = '100', threads = '2'] = process.argv.slice(2);
const FILES = Number(changed);
const QUIET_MS = 5_000;
const GIVE_UP_MS = 60_000;

/** The file system, with a record of what is read. */
class CountedFiles extends FileSystemProjectFiles {
  passes = 0;
  readonly reads = new Map<string, number>();
  lastAt = 0;

  override listMarkdown(...args: Parameters<FileSystemProjectFiles['listMarkdown']>) {
    this.passes += 1;
    return super.listMarkdown(...args);
  }

  override readText(...args: Parameters<FileSystemProjectFiles['readText']>) {
    const [, path] = args;
    this.reads.set(path, (this.reads.get(path) ?? 0) + 1);
    this.lastAt = performance.now();
    return super.readText(...args);
  }

  forget(): void {
    this.passes = 0;
    this.reads.clear();
  }
}

const project = mkdtempSync(join(tmpdir(), 'bench-branch-'));
const files = new CountedFiles(appDirectories('.knowledge'));
const options = {
  watch: true,
  threads: Number(threads),
  downloads: 'forbidden',
  dataDir: project,
  logger: 'error',
  backends: { files },
} as const;
makeBranches();
const service = createService(configOf(options), [backendsModule(options)]);
await service.store.reindex(project);
await service.store.search(project, 'main');
await quiet();

for (const branch of ['other', 'main']) await follow(branch);
await service.stop();
rmSync(project, { recursive: true, force: true });

async function follow(branch: string): Promise<void> {
  files.forget();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const searches = new AbortController();
  const searched = search(searches.signal);
  const start = performance.now();
  const gitSeconds = await checkout(branch);
  await allRead();
  const seconds = (files.lastAt - start) / 1000;
  await quiet();
  searches.abort();
  const times = (await searched).toSorted((a, b) => a - b);
  delay.disable();
  const most = Math.max(...files.reads.values());
  const kept = heldOf(branch);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)]?.toFixed(0);
  process.stdout.write(
    `to ${branch}: ${FILES} files changed in ${gitSeconds.toFixed(1)} s, indexed after ${seconds.toFixed(1)} s\n` +
      `  ${files.passes} passes that list files; ${files.reads.size} files read, each at most ${most} times; ` +
      `the index holds ${kept} of them\n` +
      `  event loop: p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms, longest stop ${(delay.max / 1e6).toFixed(0)} ms\n` +
      `  ${times.length} searches meanwhile: p50 ${at(0.5)} ms, longest ${at(1)} ms\n` +
      `  load average ${loadavg()[0]?.toFixed(1)}\n`,
  );
  if (most !== 1 || kept !== FILES) process.exitCode = 1;
}

/** Git runs in another process, while the event loop of this one goes on. */
async function checkout(branch: string): Promise<number> {
  const start = performance.now();
  await new Promise<void>((resolve, reject) => {
    const child = spawn('git', ['checkout', '--quiet', branch], { cwd: project });
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  return (performance.now() - start) / 1000;
}

async function search(signal: AbortSignal): Promise<readonly number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const start = performance.now();
    await service.store.search(project, 'copper kettle', { maxResults: 5 });
    times.push(performance.now() - start);
    await sleep(100);
  }
  return times;
}

/** Until each file was read, or nothing more happens. */
async function allRead(): Promise<void> {
  files.lastAt = performance.now();
  while (files.reads.size < FILES && performance.now() - files.lastAt < GIVE_UP_MS) await sleep(50);
}

/** Until no file has been read for a while. */
async function quiet(): Promise<void> {
  files.lastAt = performance.now();
  while (performance.now() - files.lastAt < QUIET_MS) await sleep(50);
}

function heldOf(branch: string): number {
  const db = new Database(join(project, '.knowledge/knowledge.db'), { readonly: true });
  const found = db
    .prepare("SELECT count(DISTINCT source_file) FROM chunks WHERE content LIKE ? || '%'")
    .pluck()
    .get(`${branch} `);
  db.close();
  return Number(found);
}

function makeBranches(): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], {
      cwd: project,
    });
  git('init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(project, '.gitignore'), '.knowledge\n');
  for (const branch of ['main', 'other']) {
    if (branch !== 'main') git('checkout', '--quiet', '-b', branch);
    for (let file = 0; file < FILES; file += 1) writeFileSync(pathOf(file), textOf(file, branch));
    git('add', '.');
    git('commit', '--quiet', '--message', branch);
  }
  git('checkout', '--quiet', 'main');
}

function pathOf(file: number): string {
  const folder = join(project, `docs/${file % Number(folders)}`);
  mkdirSync(folder, { recursive: true });
  return join(folder, `${file}.md`);
}

function textOf(file: number, branch: string): string {
  return `## Note ${file}\n${branch} says that kettle ${file} is of copper ${file * 7919}.\n`;
}
