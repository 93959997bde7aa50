import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process and the processes that it has started, on Linux. */
export function processesOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

/** Whether a program of this machine runs and ends with 0; many are allowed for root alone. */
export function succeeds(program: string, ...words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
