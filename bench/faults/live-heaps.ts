import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tempDirectory } from '../../test/support/temp-project.js';

/** What the threads of a service hold after a garbage collection, at two moments. */
export class LiveHeaps {
  readonly #file = `${tempDirectory('knowledge-heaps-')}/heaps`;
  readonly #moments: readonly [number, number];

  /** @param afterSeconds the two moments, from now on */
  constructor(afterSeconds: readonly [number, number]) {
    const [first, second] = afterSeconds;
    this.#moments = [Date.now() + first * 1000, Date.now() + second * 1000];
  }

  /** Variables of the service. */
  get environment(): Readonly<Record<string, string>> {
    const preload = fileURLToPath(new URL('live-heaps.cjs', import.meta.url));
    return {
      NODE_OPTIONS: `--require ${preload}`,
      LIVE_HEAPS_FILE: this.#file,
      LIVE_HEAPS_AT: this.#moments.join(),
    };
  }

  /** In MB, of all threads that were there both times. */
  read(): readonly [first: number, second: number] {
    const lines = existsSync(this.#file) ? readFileSync(this.#file, 'utf8').trim().split('\n') : [];
    const notes = lines.map((line) => JSON.parse(line) as Note);
    const isThereTwice = ({ threadId }: Note) =>
      notes.filter((other) => other.threadId === threadId).length === this.#moments.length;
    const megabytesAt = (wanted: number) =>
      notes
        .filter((note) => note.moment === wanted && isThereTwice(note))
        .reduce((sum, { bytes }) => sum + bytes / 2 ** 20, 0);
    const [first, second] = this.#moments;
    return [megabytesAt(first), megabytesAt(second)];
  }
}

interface Note {
  readonly moment: number;
  readonly threadId: number;
  readonly bytes: number;
}
