import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tempDirectory } from '../../test/support/temp-project.js';

/** The calls by which files are changed and flushed. */
const CALLS = ['pwrite64', 'write', 'fsync', 'fdatasync', 'rename', 'ftruncate', 'unlink'] as const;
export const FAULTS = ['SIGKILL', 'EIO', 'ENOSPC'] as const;

export interface Point {
  readonly call: (typeof CALLS)[number];
  readonly fault: (typeof FAULTS)[number];
  /** The first call is 1. */
  readonly number: number;
}

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Ended {
  /** -1 after a signal. */
  readonly code: number;
  readonly output: string;
}

/** Whether a process can be traced here. */
export const canTrace = canRun('strace', '-qq', '-o', '/dev/null', 'true');

/**
 * Every call of a command with every fault. Strace counts the calls of each thread on its own, so the number is that
 * of the thread with the most calls. Most calls of `write` wake threads, and node aborts if these fail: they only end.
 */
export async function pointsOf(command: Command): Promise<readonly Point[]> {
  const log = `${tempDirectory('knowledge-calls-')}/log`;
  await traced(['-o', log, '-e', `trace=${CALLS.join(',')}`], command);
  const most = mostByThread(readFileSync(log, 'utf8'));
  return CALLS.flatMap((call) =>
    (call === 'write' ? FAULTS.slice(0, 1) : FAULTS).flatMap((fault) =>
      Array.from({ length: most.get(call) ?? 0 }, (_, index) => ({
        call,
        fault,
        number: index + 1,
      })),
    ),
  );
}

/** Runs a command in which one call fails, or is the last. */
export function runWithFault(command: Command, { call, fault, number }: Point): Promise<Ended> {
  const effect = fault === 'SIGKILL' ? 'signal=SIGKILL' : `error=${fault}`;
  return traced(['-o', '/dev/null', '-e', `inject=${call}:${effect}:when=${number}`], command);
}

async function traced(options: readonly string[], { command, args, env }: Command): Promise<Ended> {
  const child = spawn('strace', ['-f', '-qq', '--seccomp-bpf', ...options, command, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output += part;
    });
  }
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : -1, output };
}

function mostByThread(log: string): ReadonlyMap<string, number> {
  const byThread = new Map<string, number>();
  const most = new Map<string, number>();
  for (const [, thread, call = ''] of log.matchAll(/^(\d+) +(\w+)\(/gm)) {
    const count = (byThread.get(`${thread} ${call}`) ?? 0) + 1;
    byThread.set(`${thread} ${call}`, count);
    most.set(call, Math.max(count, most.get(call) ?? 0));
  }
  return most;
}

function canRun(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
