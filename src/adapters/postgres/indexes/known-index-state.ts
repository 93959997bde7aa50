import type { ProjectContext } from '../database/project-database.js';
import { type IndexState, readIndexState } from './index-state.js';

/** The state of the indexes of a project, read at most every ten seconds, because it counts all chunks. */
export class KnownIndexState {
  readonly #project: ProjectContext;
  #known: Known | undefined;

  constructor(project: ProjectContext) {
    this.#project = project;
  }

  /** As it is now. */
  read(): Promise<IndexState> {
    const { database, schema } = this.#project;
    return database.read((session) => readIndexState(session, schema));
  }

  /** At most ten seconds old, and not older than the newest connection, which may lead to a restarted server. */
  recent(): Promise<IndexState> {
    const { clock, database } = this.#project;
    const [now, connections] = [clock.monotonic(), database.connectionsMade];
    const isOld = this.#known === undefined || now - this.#known.at > LIFE_MS;
    if (isOld || this.#known?.connections !== connections) {
      const value = this.read();
      this.#known = { at: now, connections, value };
      value.catch(() => this.forget());
    }
    return this.#known.value;
  }

  /** It is read again when it is asked for next. */
  forget(): void {
    this.#known = undefined;
  }
}

interface Known {
  readonly at: number;
  /** How many were made until then. */
  readonly connections: number;
  readonly value: Promise<IndexState>;
}

const LIFE_MS = 10_000;
