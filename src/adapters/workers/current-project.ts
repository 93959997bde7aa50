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

  /** What the worker has noted last; undefined if it has not used a project yet. */
  read(): NotedWork | undefined {
    const bytes = Buffer.alloc(MAX_BYTES);
    const length = readSync(this.file, bytes, 0, MAX_BYTES, 0);
    const [path, size] = bytes.toString('utf8', 0, length).split('\0');
    return path ? { path, ...(size && { bytes: Number(size) }) } : undefined;
  }

  close(): void {
    closeSync(this.file);
  }
}

/** A project, and the size of its database if that is about to be used. */
export interface NotedWork {
  readonly path: string;
  readonly bytes?: number;
}

/** Notes the projects that a worker works on; to be called before each piece of work. */
export function projectNotes(file: number): (path: string, bytes?: number) => void {
  let noted: string | undefined;
  return (path, bytes) => {
    const note = `${path}\0${bytes ?? ''}\0`;
    if (note === noted) return;
    noted = note;
    const text = Buffer.from(note).subarray(0, MAX_BYTES);
    writeSync(file, text, 0, text.length, 0);
  };
}

/** Of the longest path that Linux knows, a number, and their ends. */
const MAX_BYTES = 4096 + 22;
