import { readFileSync } from 'node:fs';

/** A clock that all processes of a machine share, in milliseconds. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** Memory of a process; undefined where the system does not tell. */
export function rssBytesOf(processId: number): number | undefined {
  try {
    const [, pages] = readFileSync(`/proc/${processId}/statm`, 'latin1').split(' ');
    return Number(pages) * PAGE_BYTES;
  } catch {
    return undefined;
  }
}

const PAGE_BYTES = 4096;
