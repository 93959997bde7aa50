import type { Embedder } from '../../ports/driven/embedder.js';
import type { SkippedSource } from '../../ports/driving/ingestion-service.js';
import type { Project } from '../projects/project.js';
import type { Sources } from '../sources/sources.js';

export interface StoreNotesParts {
  readonly embedder: Pick<Embedder, 'model' | 'state' | 'failure'>;
  readonly sources: Pick<Sources, 'listSources'>;
}

/** Says what is not wrong with a store but worth knowing. */
export class StoreNotes {
  readonly #parts: StoreNotesParts;

  constructor(parts: StoreNotesParts) {
    this.#parts = parts;
  }

  async of(project: Project | undefined): Promise<readonly string[]> {
    if (project === undefined) return ['There is no knowledge store that could be looked at.'];
    const { skipped } = await this.#parts.sources.listSources(project.path);
    return [
      ...(await this.#vectorNotes(project)),
      ...skipped.slice(0, SHOWN_SOURCES).map(skippedNote),
      ...(skipped.length > SHOWN_SOURCES
        ? [`${skipped.length - SHOWN_SOURCES} more sources are not read.`]
        : []),
    ];
  }

  async #vectorNotes({ store }: Project): Promise<readonly string[]> {
    const { embedder } = this.#parts;
    const { pending } = await store.vectors.status();
    const problem = await store.vectors.comparisonProblem();
    const failure = embedder.state() === 'failed' ? embedder.failure() : undefined;
    const consequence =
      embedder.state() === 'absent' || embedder.state() === 'failed'
        ? `the embedding model ${embedder.model} cannot be used here, so searches use keywords alone for them`
        : 'the background work of a running service, or "ingest", makes them';
    const chunks = pending === 1 ? '1 chunk has' : `${pending} chunks have`;
    return [
      ...(pending > 0 ? [`${chunks} no vector yet: ${consequence}.`] : []),
      ...[failure, problem].filter((note) => note !== undefined),
    ];
  }
}

const SHOWN_SOURCES = 20;

function skippedNote({ sourceFile, reason }: SkippedSource): string {
  return `${sourceFile} is not read: ${reason}.`;
}
