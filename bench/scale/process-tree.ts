import { readdirSync, readFileSync } from 'node:fs';

/** A process and all its descendants. Linux only. */
function treeOf(pid: number): readonly number[] {
  const text = contentOf(`/proc/${pid}/task/${pid}/children`);
  const children = text.split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(treeOf)];
}

/** CPU time of a process and all its descendants, including those that have ended, in milliseconds. */
export function cpuMs(pid: number): number {
  return sum(treeOf(pid), (each) => {
    const stat = contentOf(`/proc/${each}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return 10 * sum(fields.slice(11, 15), Number);
  });
}

/** Memory of a process and all its descendants, in MB. Pages that they share count once per process. */
export function memoryMb(pid: number): { readonly now: number; readonly peak: number } {
  const field = (each: number, name: string) =>
    Number(
      new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(contentOf(`/proc/${each}/status`))?.[1] ?? 0,
    );
  const all = treeOf(pid);
  return {
    now: sum(all, (each) => field(each, 'VmRSS')) / 1024,
    peak: sum(all, (each) => field(each, 'VmHWM')) / 1024,
  };
}

/** The largest delay, in milliseconds, that processes have recorded since the last call; see `delays.cjs`. */
export class Delays {
  readonly #folder: string;
  readonly #read = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  largest(): number {
    let largest = 0;
    for (const name of readdirSync(this.#folder)) {
      const lines = readFileSync(`${this.#folder}/${name}`, 'utf8').split('\n').filter(Boolean);
      for (const ms of lines.slice(this.#read.get(name) ?? 0))
        largest = Math.max(largest, Number(ms));
      this.#read.set(name, lines.length);
    }
    return largest;
  }
}

/** Reads a file; empty if its process has ended. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function sum<T>(items: readonly T[], toNumber: (item: T) => number): number {
  return items.reduce((total, item) => total + toNumber(item), 0);
}
