import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../test/support/running-service.js';
import { tempDirectory } from '../../test/support/temp-project.js';
import type { FaultFamily } from './family.js';

const MAIN = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const LONGEST_MS = 5_000;

/** F15: the parent of an MCP server on stdio is killed; it holds the streams, or passes on some that stay open. */
export const mcpParents: FaultFamily = {
  name: 'F15',
  title: 'killed parents of MCP servers',
  defaultRounds: 6,
  async run({ rounds }) {
    const wrong: string[] = [];
    let slowestMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      const streams = round % 2 === 0 ? 'pipe' : 'inherit';
      const took = await killParent(streams, [MAIN, 'mcp']);
      if (took === undefined)
        wrong.push(`round ${round} (${streams}): it runs ${LONGEST_MS} ms later`);
      slowestMs = Math.max(slowestMs, took ?? LONGEST_MS);
    }
    const notes = [`the slowest end took ${Math.round(slowestMs)} ms`];
    return { rounds, acknowledged: rounds - wrong.length, lost: 0, wrong, notes };
  },
  /** A server that responds, and does not notice that its parent is gone. */
  async negativeControl() {
    const careless =
      "process.stdin.once('data', () => console.log('{}')); setInterval(() => {}, 1000)";
    const took = await killParent('pipe', ['-e', careless]);
    return took === undefined ? [`it runs ${LONGEST_MS} ms later`] : [];
  },
};

/** How long the server runs on; undefined for too long. */
async function killParent(
  streams: 'pipe' | 'inherit',
  server: readonly string[],
): Promise<number | undefined> {
  const directory = tempDirectory('knowledge-parent-');
  const parent = spawn(process.execPath, ['-e', PARENT, streams, ...server], {
    cwd: directory,
    env: { PATH: process.env['PATH'], KNOWLEDGE_OFFLINE: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  try {
    const pid = await serverOf(parent, streams);
    parent.kill('SIGKILL');
    const begin = performance.now();
    const hasEnded = await eventually(() => !isRunning(pid), { withinMs: LONGEST_MS }).catch(
      () => false,
    );
    if (!hasEnded) process.kill(pid, 'SIGKILL');
    return hasEnded ? performance.now() - begin : undefined;
  } finally {
    parent.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Starts the server, asks it for its tools, and prints its process id once it has answered. */
const PARENT = `
  const [streams, ...args] = process.argv.slice(1);
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
async function serverOf(parent: ChildProcess, streams: 'pipe' | 'inherit'): Promise<number> {
  let [told, answered] = ['', ''];
  parent.stderr?.on('data', (part: Buffer) => {
    told += part;
  });
  parent.stdout?.on('data', (part: Buffer) => {
    answered += part;
  });
  const pid = await eventually(() => Number(told) || undefined, START);
  if (streams === 'inherit') {
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
