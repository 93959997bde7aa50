import { readFileSync } from 'node:fs';

/** A clock that all processes of a machine share, in milliseconds. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** Memory of a process; undefined where the system does not tell. */
export function rssBytesOf(processId: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${processId}/status`, 'latin1');
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
