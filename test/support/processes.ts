import { readFileSync } from 'node:fs';

/** A process and the processes that it has started, on Linux. */
export function processesOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}
