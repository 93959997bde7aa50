import { join } from 'node:path';
import type { ShownPieces } from '../../ports/session-records.js';
import { readPrivateJson, writePrivateJson } from './private-json-file.js';

/**
 * Keeps `shown-pieces.json` in the data folder: the latest sessions that were shown something, each with the keys of
 * the shown pieces.
 */
export class JsonShownPieces implements ShownPieces {
  readonly #file: string;

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'shown-pieces.json');
  }

  async list(session: string): Promise<readonly string[]> {
    return (await this.#read()).get(session) ?? [];
  }

  async add(session: string, keys: readonly string[]): Promise<void> {
    const sessions = await this.#read();
    const all = new Set([...(sessions.get(session) ?? []), ...keys]);
    sessions.delete(session);
    sessions.set(session, [...all]);
    await writePrivateJson(this.#file, [...sessions].slice(-SESSIONS_KEPT));
  }

  async #read(): Promise<Map<string, readonly string[]>> {
    const value = await readPrivateJson(this.#file);
    return new Map(Array.isArray(value) ? value.filter(isEntry) : []);
  }
}

const SESSIONS_KEPT = 100;

function isEntry(value: unknown): value is readonly [string, readonly string[]] {
  return Array.isArray(value) && typeof value[0] === 'string' && Array.isArray(value[1]);
}
