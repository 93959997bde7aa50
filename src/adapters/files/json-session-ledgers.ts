import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isRecord } from '../../domain/records.js';
import type { SessionLedger, SessionLedgers } from '../../ports/session-records.js';
import { readPrivateJson, writePrivateJson } from './private-json-file.js';

/** One file per project in the folder `sessions` of the data folder, named by the hash of the project's path. */
export class JsonSessionLedgers implements SessionLedgers {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'sessions');
  }

  async read(projectPath: string): Promise<SessionLedger> {
    const value = await readPrivateJson(this.#fileFor(projectPath));
    return isLedger(value) ? value : { transcripts: {}, sessions: {}, messages: [] };
  }

  write(projectPath: string, ledger: SessionLedger): Promise<void> {
    return writePrivateJson(this.#fileFor(projectPath), ledger);
  }

  #fileFor(projectPath: string): string {
    const hash = createHash('sha256').update(projectPath).digest('hex').slice(0, 16);
    return join(this.#folder, `${hash}.json`);
  }
}

/** Checks only the outer structure, because the file is ours and in a folder that only the user can write. */
function isLedger(value: unknown): value is SessionLedger {
  if (!isRecord(value)) return false;
  const { transcripts, sessions, messages } = value;
  return isRecord(transcripts) && isRecord(sessions) && Array.isArray(messages);
}
