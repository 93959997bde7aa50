import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The project that a worker works on, in a file without a name that both processes have open: a worker that is stuck
 * inside a statement can send nothing, and one that was killed has nothing left to say.
 */
export class CurrentProject {
  /** The descriptor, to be inherited by the worker. */
  readonly file: number;

  constructor() {
    const path = join(tmpdir(), `knowledge-store-worker-${randomUUID()}`);
    this.file = openSync(path, 'wx+', 0o600);
    rmSync(path);
  }

  /** The path that the worker has noted last; undefined if it has not used a project yet. */
  read(): string | undefined {
    const bytes = Buffer.alloc(MAX_BYTES);
    const length = readSync(this.file, bytes, 0, MAX_BYTES, 0);
    const end = bytes.subarray(0, length).indexOf(0);
    return end > 0 ? bytes.toString('utf8', 0, end) : undefined;
  }

  close(): void {
    closeSync(this.file);
  }
}

/** Notes the projects that a worker works on; to be called before each piece of work. */
export function projectNotes(file: number): (projectPath: string) => void {
  let noted: string | undefined;
  return (projectPath) => {
    if (projectPath === noted) return;
    noted = projectPath;
    const bytes = Buffer.from(`${projectPath}\0`).subarray(0, MAX_BYTES);
    writeSync(file, bytes, 0, bytes.length, 0);
  };
}

/** Of the longest path that Linux knows, and its end. */
const MAX_BYTES = 4097;
