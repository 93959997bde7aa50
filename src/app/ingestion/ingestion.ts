import { isPushed } from '../../domain/pushed-document.js';
import type { Settings } from '../../domain/settings.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { IndexedSource } from '../../ports/driven/chunk-repository.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';
import type { IngestionReport } from '../../ports/driving/ingestion-service.js';
import type { Project } from '../projects/project.js';
import { addedQuickly } from './added-quickly.js';
import { inBatches } from './in-batches.js';
import { ingestSource, prepareSource, removeSource } from './ingest-source.js';
import {
  changedScope,
  createScopes,
  type IngestionScopes,
  type Scope,
} from './ingestion-scopes.js';
import { isHidden, type Source, type SourceListing } from './source.js';
import { findMoves } from './source-moves.js';
import type { SourceReader } from './source-reader.js';
import { filesOf, hiddenResult, isThere, isTwice, type SourceResult } from './source-result.js';
import { filteredWithPauses, nextTurn } from './with-pauses.js';

export interface IngestionPorts {
  readonly reader: SourceReader;
  readonly settings: SettingsSource;
  readonly logger: Logger;
  readonly appDirs: AppDirectories;
}

/**
 * Brings the chunks of a project's sources up to date, file by file: a changed file is replaced in one
 * transaction, one that is gone loses its chunks, and one that may not be read is reported and keeps
 * what it had. An unchanged file is not parsed, and its pruned chunks stay away unless everything is
 * ingested.
 */
export class Ingestion {
  readonly #ports: IngestionPorts;
  readonly #scopes: (project: Project) => IngestionScopes;

  constructor(ports: IngestionPorts) {
    this.#ports = ports;
    this.#scopes = ({ path }) => createScopes(ports.reader, ports.appDirs.of(path));
  }

  ingestReflections(project: Project): Promise<IngestionReport> {
    return this.#ingest(project, this.#scopes(project).reflections);
  }

  ingestAgentOutputs(project: Project): Promise<IngestionReport> {
    return this.#ingest(project, this.#scopes(project).agentOutputs);
  }

  ingestCategories(project: Project): Promise<IngestionReport> {
    return this.#ingest(project, this.#scopes(project).categories);
  }

  /** Notes, web pages and digests. */
  ingestSaved(project: Project): Promise<IngestionReport> {
    return this.#ingest(project, this.#scopes(project).saved);
  }

  /**
   * Brings one source up to date with its file, also if the file is gone. Chunks that are missing are
   * created even if the file is unchanged.
   */
  async ingestFile(project: Project, sourceFile: string): Promise<SourceResult> {
    const { reader, settings } = this.#ports;
    const source = reader.sourceOf(project.path, sourceFile, await settings.read(project.path));
    const known = { indexed: undefined, unchanged: 'restore' } as const;
    const result = await ingestSource(project, source, known);
    if (result.state === 'there') return result;
    return removeSource(project, { sourceFile, chunkCount: 0 }, source);
  }

  /**
   * All sources. Chunks that were pruned are restored, also those of unchanged files.
   */
  ingestAll(project: Project): Promise<IngestionReport> {
    return this.#ingest(project, this.#scopes(project).everything);
  }

  /**
   * The sources at or below some paths, or all of them: what was written is read, and what is gone is removed.
   * Pruned chunks of unchanged files stay away.
   */
  ingestChanged(project: Project, paths: readonly string[] | undefined): Promise<IngestionReport> {
    return this.#ingest(project, changedScope(this.#ports.reader, paths));
  }

  /** What is indexed is noted before the files are listed: a source that is indexed meanwhile is not gone. */
  async #ingest(project: Project, scope: Scope): Promise<IngestionReport> {
    const settings = await this.#ports.settings.read(project.path);
    const before = await filteredWithPauses(
      await project.store.chunks.indexedSources(),
      (indexed) => !isPushed(indexed) && scope.concerns(indexed),
    );
    const listing = await scope.list(project.path, settings);
    await nextTurn(); // With 10,000 sources each of these steps takes 10 ms.
    const known = new Map(before.map((indexed) => [indexed.sourceFile, indexed]));
    await nextTurn();
    const moves = await findMoves(before, listing);
    await nextTurn();
    const files = new Set<string>();
    const { unchanged } = scope;
    const prepare = (source: Source) => {
      const indexed = known.get(source.sourceFile);
      const moved = moves.get(source.sourceFile);
      const former = moved && this.#ports.reader.sourceOf(project.path, moved.sourceFile, settings);
      return prepareSource(project, source, { indexed, unchanged, former, files });
    };
    const results = await addedQuickly(project, listing, () =>
      inBatches(listing.sources, prepare, BATCH_LIMITS),
    );
    const missing = await missingIn(results, before);
    const hidden = missing.filter((indexed) => isHidden(listing, indexed));
    const gone = missing.filter((indexed) => !isHidden(listing, indexed));
    const twice = new Set(results.filter(isTwice).map(({ sourceFile }) => sourceFile));
    const returned = await this.#removeGone(project, { scope, settings, gone, twice });
    const removed = gone.length - returned.length;
    const all = [...results, ...hidden.map(hiddenResult), ...returned];
    return this.#report(project, all, { ...listing, removed });
  }

  /** A file that came back meanwhile is read after all; one that the patterns no longer choose is not. */
  async #removeGone(
    project: Project,
    { scope, settings, gone, twice }: Removal,
  ): Promise<readonly SourceResult[]> {
    if (gone.length === 0) return [];
    const { reader } = this.#ports;
    const { sources } = await scope.list(project.path, settings);
    const listed = new Map(sources.map((source) => [source.sourceFile, source]));
    const results: SourceResult[] = [];
    for (const indexed of gone) {
      const { sourceFile } = indexed;
      const source = reader.sourceOf(project.path, sourceFile, settings);
      const isListed = listed.has(sourceFile) && !twice.has(sourceFile);
      const isChosen = isListed || (await source.version()) === undefined;
      results.push(await removeSource(project, indexed, isChosen ? source : undefined));
    }
    return results.filter(isThere);
  }

  #report(
    project: Project,
    results: readonly SourceResult[],
    { unreadable, skipped: patterns, removed }: Pass,
  ): IngestionReport {
    const { logger } = this.#ports;
    const files = results.flatMap(({ sourceFile, skipped: reason }) =>
      reason === undefined ? [] : [{ sourceFile, reason }],
    );
    if (unreadable.length > 0) {
      logger.warn('Some folders could not be read.', { project: project.path, unreadable });
    }
    if (patterns.length > 0) {
      logger.warn('Some patterns match nothing.', { project: project.path, patterns });
    }
    if (files.length > 0) {
      logger.warn('Some files were not read.', { project: project.path, skipped: files });
    }
    return {
      indexed: results.filter(({ chunks }) => chunks > 0).length,
      skipped: [...patterns, ...files],
      removed,
    };
  }
}

/** Indexed sources of which the results say nothing. */
async function missingIn(
  results: readonly SourceResult[],
  before: readonly IndexedSource[],
): Promise<readonly IndexedSource[]> {
  await nextTurn();
  const present = new Set<string>();
  for (const result of results.filter(isThere)) {
    for (const file of filesOf(result)) present.add(file);
  }
  await nextTurn();
  return before.filter(({ sourceFile }) => !present.has(sourceFile));
}

/** Sources and chunks that are written together: few enough that others do not wait long for the lock. */
const BATCH_LIMITS = { maxItems: 32, maxSize: 800 };

/** What is known of a pass besides the results of its files. */
interface Pass extends Pick<SourceListing, 'unreadable' | 'skipped'> {
  readonly removed: number;
}

interface Removal {
  readonly scope: Scope;
  readonly settings: Settings;
  readonly gone: readonly IndexedSource[];
  /** Those of `gone` that are links to other sources. */
  readonly twice: ReadonlySet<string>;
}
