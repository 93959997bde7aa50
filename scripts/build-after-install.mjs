// Builds a checkout after `npm ci`. After `npm ci --omit=dev` there is no compiler: the tools that the command and the
// console need are then installed, with the versions and checksums of the lockfile, in a temporary folder (45 MB).
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
/** Packages that the build imports; `commonmark` and `preact` become part of the console. */
const TOOLS = ['commonmark', 'esbuild', 'preact', 'vite'];

if (existsSync(join(MODULES, 'typescript'))) run(ROOT, 'npm', 'run', 'build');
else if (existsSync(join(ROOT, 'src'))) buildWithTools();

function buildWithTools() {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-store-build-'));
  const links = TOOLS.map((name) => join(MODULES, name));
  try {
    installTools(folder);
    for (const link of links) symlinkSync(join(folder, link.slice(ROOT.length)), link, 'junction');
    run(ROOT, process.execPath, 'scripts/bundle-command.mjs', '--without-compiler');
    run(ROOT, process.execPath, 'node_modules/vite/bin/vite.js', 'build', 'console');
  } finally {
    for (const link of links) rmSync(link, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

function installTools(folder) {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const wanted = Object.fromEntries(TOOLS.map((name) => [name, devDependencies[name]]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ devDependencies: wanted }));
  cpSync(join(ROOT, 'package-lock.json'), join(folder, 'package-lock.json'));
  run(
    folder,
    'npm',
    'install',
    '--prefix',
    folder,
    '--include=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  );
}

function run(cwd, command, ...args) {
  const shell = process.platform === 'win32' && command === 'npm';
  execFileSync(command, args, { cwd, stdio: 'inherit', shell });
}
