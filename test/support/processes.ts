import { readdirSync, readFileSync } from 'node:fs';

/** A process and the processes that it has started, on Linux. */
export function processesOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

interface Resources {
  /** The sum of their resident set sizes. */
  readonly memoryMb: number;
  /** The same, with pages that they share counted once, such as those of Node's program. */
  readonly sharedOnceMb: number;
  readonly files: number;
}

/** What they use together; one that has just ended counts as nothing. */
export function resourcesOf(pid: number): Resources {
  const used = processesOf(pid).map((id): Resources => {
    try {
      const memory = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
      const megabytes = (pattern: RegExp) => Number(pattern.exec(memory)?.[1] ?? 0) / 1024;
      return {
        memoryMb: megabytes(/^Rss:\s+(\d+)/m),
        sharedOnceMb: megabytes(/^Pss:\s+(\d+)/m),
        files: readdirSync(`/proc/${id}/fd`).length,
      };
    } catch {
      return { memoryMb: 0, sharedOnceMb: 0, files: 0 };
    }
  });
  const sum = (name: keyof Resources) => used.reduce((total, each) => total + each[name], 0);
  return { memoryMb: sum('memoryMb'), sharedOnceMb: sum('sharedOnceMb'), files: sum('files') };
}
