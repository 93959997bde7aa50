import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { processesOf } from '../../../test/support/processes.js';
import { API } from '../../../test/support/running-service-calls.js';
import type { WatchEvent } from './watch.js';

/**
 * Looks at a service from a process of its own, so that nothing else delays it, and prints what must not be.
 *
 *   tsx watch-process.ts <url> <process id> <path of the witness> <bytes that a worker may use>
 */
const [url = '', pid = '', witness = '', limit = ''] = process.argv.slice(2);
const LONGEST_SEARCH_MS = 1_000;
const LONGEST_HEALTH_MS = 100;

let largest = 0;
let slowest = 0;
let known: readonly number[] = [];

void Promise.all([
  repeated(50, search),
  repeated(50, () => timed('health', `${url}/health`, undefined)),
  repeated(100, async () => memory()),
]);
process.stdout.write('ready\n');
process.on('disconnect', () => {
  process.kill(-Number(pid), 'SIGKILL');
  process.exit();
});

async function repeated(everyMs: number, act: () => Promise<void>): Promise<never> {
  for (;;) {
    await act();
    await pause(everyMs);
  }
}

function search(): Promise<void> {
  const body = JSON.stringify({ projectPath: witness, query: 'walrus' });
  const headers = { 'content-type': 'application/json' };
  return timed('search', `${url}${API}/search`, { method: 'POST', headers, body });
}

async function timed(
  what: 'search' | 'health',
  address: string,
  init?: RequestInit,
): Promise<void> {
  const begin = performance.now();
  const before = delays();
  let text = '';
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(60_000) });
    text = await response.text();
    if (response.status !== 200)
      report({ what: `${what} of the witness`, value: `${text} (${states()})` });
  } catch (error) {
    report({ what: `${what} of the witness`, value: String(error) });
  }
  const ms = performance.now() - begin - waitedMs(before, delays());
  if (what === 'search' && ms > slowest) {
    slowest = ms;
    report({ what: 'slowest', value: `${Math.round(ms)} ms`, isAllowed: true });
  }
  if (what === 'search' && !text.includes('walrus'))
    report({ what: 'the witness lost its text', value: text });
  if (ms > (what === 'search' ? LONGEST_SEARCH_MS : LONGEST_HEALTH_MS))
    report({ what: `slow ${what}`, ms });
}

function memory(): void {
  const [, ...workers] = processesOf(Number(pid));
  if (workers.join() !== known.join() && known.length > 0)
    report({ what: 'replaced', isAllowed: true });
  known = workers;
  for (const worker of workers) {
    const bytes = rssOf(worker);
    if (bytes > Number(limit))
      report({ what: 'memory', value: `${Math.round(bytes / 2 ** 20)} MB` });
    if (bytes > largest) {
      largest = bytes;
      report({ what: 'largest', value: `${Math.round(bytes / 2 ** 20)} MB`, isAllowed: true });
    }
  }
}

/** How long this process, the service and each of its workers have waited for a processor, which others may have. */
function delays(): ReadonlyMap<number, number> {
  const watched = [process.pid, ...processesOf(Number(pid))];
  return new Map(watched.map((one) => [one, delayOf(one)]));
}

function waitedMs(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  // Of one that has just ended nothing can be read.
  return [...after].reduce((sum, [one, ms]) => sum + Math.max(0, ms - (before.get(one) ?? 0)), 0);
}

/** What the service and each of its workers are doing: process id, state, what they wait for in the system, and ticks of the processor. */
function states(): string {
  return processesOf(Number(pid)).map(stateOf).join(', ');
}

function stateOf(one: number): string {
  try {
    const stat = readFileSync(`/proc/${one}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return `${one} ${stat[0]} ${readFileSync(`/proc/${one}/wchan`, 'utf8')} ${stat[11]}`;
  } catch {
    return `${one} ended`;
  }
}

function delayOf(one: number): number {
  try {
    return Number(readFileSync(`/proc/${one}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

function rssOf(worker: number): number {
  try {
    return (
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${worker}/status`, 'utf8'))?.[1] ?? 0) * 1024
    );
  } catch {
    return 0;
  }
}

function report(event: Omit<WatchEvent, 'at'>): void {
  process.send?.({ ...event, at: Date.now() });
}
