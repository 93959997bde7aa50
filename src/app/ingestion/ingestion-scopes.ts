import { KnowledgeError } from '../../domain/errors.js';
import { atOrBelow } from '../../domain/paths.js';
import { isMemoryPath, savedFileAt } from '../../domain/project-layout.js';
import type { Settings } from '../../domain/settings.js';
import type { IndexedSource, ReplaceOptions } from '../../ports/driven/chunk-repository.js';
import type { Watching } from '../../ports/driving/ingestion-service.js';
import type { KnownSource } from './ingest-source.js';
import type { SourceListing } from './source.js';
import type { SourceReader } from './source-reader.js';

/** Which sources an ingestion is about. */
export interface Scope extends Watching {
  readonly unchanged?: KnownSource['unchanged'];
  /** The sources that are there now. */
  readonly list: (project: string, settings: Settings) => Promise<SourceListing>;
  /** Whether a source that was indexed belongs to the scope, and is gone if it is not listed. */
  readonly concerns: (indexed: IndexedSource) => boolean;
}

export type IngestionScopes = ReturnType<typeof createScopes>;

/** The scopes of the ingestions; pruned chunks of unchanged files stay away, unless a caller says otherwise. */
export function createScopes(reader: SourceReader, appDir: string) {
  return {
    reflections: {
      list: (project, settings) => reader.reflections(project, settings),
      concerns: ({ sourceType }) => sourceType === 'reflection',
    },
    agentOutputs: {
      list: (project) => reader.agentOutputs(project),
      concerns: ({ sourceType }) => sourceType === 'agent_output',
    },
    categories: {
      list: (project, settings) => reader.categories(project, settings),
      concerns: ({ sourceFile }) => isMemoryPath(appDir, sourceFile),
    },
    saved: {
      list: (project, settings) => reader.saved(project, settings),
      concerns: ({ sourceFile }) => savedFileAt(appDir, sourceFile) !== undefined,
    },
    everything: {
      list: (project, settings) => reader.all(project, settings),
      concerns: () => true,
    },
  } satisfies Record<string, Scope>;
}

/** What is at or below some paths, or everything; pruned chunks of unchanged files stay away. */
export function changedScope(reader: SourceReader, paths: readonly string[] | undefined): Scope {
  const isMeant = paths === undefined ? () => true : atOrBelow(paths);
  return {
    list: async (project, settings) => {
      const { sources, unreadable } = await reader.all(project, settings, paths);
      const meant = sources.filter(({ sourceFile }) => isMeant(sourceFile));
      return { sources: meant, unreadable, skipped: [] };
    },
    concerns: ({ sourceFile }) => isMeant(sourceFile),
  };
}

/** Whether chunks that an unchanged file has lost to pruning are restored, and who watches. */
export interface ReadingOptions extends ReplaceOptions, Watching {}

/**
 * A function that is called before each of `total` steps of an ingestion.
 * @throws KnowledgeError `store_unavailable` once the caller does not want the rest any more
 */
export function stepsOf(total: number, { onProgress, signal }: Watching): () => void {
  let done = 0;
  return () => {
    if (signal?.aborted) {
      throw new KnowledgeError('store_unavailable', 'The ingestion was cancelled.');
    }
    onProgress?.({ done, total });
    done += 1;
  };
}
