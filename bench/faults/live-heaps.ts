import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tempDirectory } from '../../test/support/temp-project.js';

/** A service just after its threads collected their garbage. */
export interface CollectedMemory {
  readonly second: number;
  /** Held by the heaps of all threads that were there each time. */
  readonly heldMb: number;
  /** Of the process. */
  readonly memoryMb: number;
}

/** Has all threads of a service collect their garbage at some moments, and reads what is left. */
export class LiveHeaps {
  readonly #file = `${tempDirectory('knowledge-heaps-')}/heaps`;
  readonly #start = Date.now();
  readonly #moments: readonly number[];

  /** @param seconds from now */
  constructor(seconds: readonly number[]) {
    this.#moments = seconds.map((second) => Math.round(this.#start + second * 1000));
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

  read(): readonly CollectedMemory[] {
    const text = existsSync(this.#file) ? readFileSync(this.#file, 'utf8').trim() : '';
    const notes = text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Note);
    const wasThereEachTime = ({ threadId }: Note) =>
      notes.filter((other) => other.threadId === threadId).length === this.#moments.length;
    return this.#moments.map((moment) => {
      const then = notes.filter((note) => note.moment === moment);
      const held = then.filter(({ heldBytes }) => heldBytes !== undefined).filter(wasThereEachTime);
      return {
        second: (moment - this.#start) / 1000,
        heldMb: held.reduce((sum, { heldBytes = 0 }) => sum + heldBytes / 2 ** 20, 0),
        memoryMb: (then.find(({ memoryBytes }) => memoryBytes)?.memoryBytes ?? 0) / 2 ** 20,
      };
    });
  }
}

/** One of the last two is there. */
interface Note {
  readonly moment: number;
  readonly threadId?: number;
  readonly heldBytes?: number;
  readonly memoryBytes?: number;
}
