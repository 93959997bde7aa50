import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The project that a worker works on, in a file without a name that both processes have open: a worker that is stuck
 * inside a statement can send nothing, and one that was killed has nothing left to say.
 */
export class CurrentWork {
  /** The descriptor, to be inherited by the worker. */
  readonly file: number;

  constructor() {
    const path = join(tmpdir(), `knowledge-store-worker-${randomUUID()}`);
    this.file = openSync(path, 'wx+', 0o600);
    rmSync(path);
  }

  /** The project that the worker has noted last; undefined if it has not used one yet. */
  read(): string | undefined {
    const bytes = Buffer.alloc(PATH_MAX_BYTES);
    const length = readSync(this.file, bytes, 0, PATH_MAX_BYTES, 0);
    const [path] = bytes.toString('utf8', 0, length).split('\0');
    return path === '' ? undefined : path;
  }

  close(): void {
    closeSync(this.file);
  }
}

/** Notes the project that a worker works on; to be called before each piece of work. */
export function workNotes(file: number): (path: string) => void {
  let noted: string | undefined;
  return (path) => {
    if (path === noted) return;
    noted = path;
    const text = Buffer.from(`${path}\0`).subarray(0, PATH_MAX_BYTES);
    writeSync(file, text, 0, text.length, 0);
  };
}

const PATH_MAX_BYTES = 4097;

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
