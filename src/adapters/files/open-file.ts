import { type BigIntStats, closeSync, fstatSync, read, readSync, type Stats } from 'node:fs';
import { promisify } from 'node:util';

/**
 * A file that is open for reading. What takes microseconds is done at once, because a thread for each call takes five times
 * as long, and indexing makes many; large reads are left to a thread.
 */
export class OpenFile {
  readonly #descriptor: number;

  /** @param descriptor - of the file, which is closed by `close` */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  stats(): BigIntStats {
    return fstatSync(this.#descriptor, { bigint: true });
  }

  /** Permissions and owner, in numbers that can be given to another file. */
  attributes(): Stats {
    return fstatSync(this.#descriptor);
  }

  /** At most `length` bytes from `start`; fewer where the file ends. */
  async read(start: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const count = await this.#readInto(bytes.subarray(filled), start + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  async #readInto(bytes: Buffer, position: number): Promise<number> {
    const { length } = bytes;
    if (length <= READ_AT_ONCE_MAX) return readSync(this.#descriptor, bytes, 0, length, position);
    return (await readLater(this.#descriptor, bytes, 0, length, position)).bytesRead;
  }
}

const READ_AT_ONCE_MAX = 128 * 1024;

const readLater = promisify(read);
