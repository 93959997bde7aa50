import { readdirSync, readFileSync } from 'node:fs';

/** A process and the processes that it has started, on Linux. */
export function processesOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

/** What they use together; one that has just ended counts as nothing. */
export function resourcesOf(pid: number): { readonly memoryMb: number; readonly files: number } {
  const used = processesOf(pid).map((id) => {
    try {
      const status = readFileSync(`/proc/${id}/status`, 'utf8');
      const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
      return { memoryMb: kilobytes / 1024, files: readdirSync(`/proc/${id}/fd`).length };
    } catch {
      return { memoryMb: 0, files: 0 };
    }
  });
  const sum = (name: 'memoryMb' | 'files') => used.reduce((total, each) => total + each[name], 0);
  return { memoryMb: sum('memoryMb'), files: sum('files') };
}
