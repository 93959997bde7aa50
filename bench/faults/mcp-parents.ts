import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../test/support/running-service.js';

/**
 * Kills the parent of an MCP server on stdio, and checks that the server ends within five seconds, too.
 * Rounds alternate between a parent that holds the streams, and one that passes on streams which stay open.
 *
 * Usage: npm run faults:mcp [-- <rounds>]
 */
const MAIN = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const rounds = Number(process.argv[2] ?? 20);

async function main(): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const streams = round % 2 === 1 ? 'pipe' : 'inherit';
    const ms = await killParent(streams);
    process.stdout.write(`round ${round} (${streams}): ended after ${Math.round(ms)} ms\n`);
  }
  process.stdout.write(`${rounds} of ${rounds} servers ended with their parents\n`);
}

async function killParent(streams: 'pipe' | 'inherit'): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'knowledge-parent-'));
  const parent = spawn(process.execPath, ['-e', PARENT, MAIN, streams], {
    cwd: directory,
    env: { PATH: process.env['PATH'], KNOWLEDGE_OFFLINE: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  try {
    const pid = await serverOf(parent);
    parent.kill('SIGKILL');
    const begin = performance.now();
    await eventually(() => !isRunning(pid), { withinMs: 5_000 });
    return performance.now() - begin;
  } finally {
    parent.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Starts the server, asks it for its tools, and prints its process id once it has answered. */
const PARENT = `
  const [main, streams] = process.argv.slice(1);
  const args = [main, 'mcp'];
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, args, { stdio: [streams, streams, 'ignore'] });
  if (streams === 'inherit') process.stderr.write(child.pid + '\\n');
  else {
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\\n');
    child.stdout.once('data', () => process.stderr.write(child.pid + '\\n'));
  }
  setInterval(() => {}, 1000);
`;

/** A busy machine takes long to start a server; what is measured is its end. */
const START = { withinMs: 60_000 };

/** Of a server that has answered a request. */
async function serverOf(parent: ChildProcess): Promise<number> {
  let [told, answered] = ['', ''];
  parent.stderr?.on('data', (part: Buffer) => {
    told += part;
  });
  parent.stdout?.on('data', (part: Buffer) => {
    answered += part;
  });
  const pid = await eventually(() => Number(told) || undefined, START);
  if (parent.spawnargs.at(-1) === 'inherit') {
    parent.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await eventually(() => answered !== '', START);
  }
  return pid;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

await main();
