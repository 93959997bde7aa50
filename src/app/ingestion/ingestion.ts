import { KnowledgeError } from '../../domain/errors.js';
import { atOrBelow } from '../../domain/paths.js';
import type { Settings } from '../../domain/settings.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { SettingsSource } from '../../ports/project-files.js';
import type { IndexedSource, ReplaceOptions } from '../../ports/source-repository.js';
import type { IngestionReport } from '../../schemas/sources.js';
import { inBatches } from '../../shared/in-batches.js';
import type { Cite, Citing } from '../citations/citation-finder.js';
import type { CitationJudging } from '../citations/citation-judge.js';
import type { Project } from '../project.js';
import { duringFirstIndexing, isFirstIndexing } from './first-indexing.js';
import {
  countWrites,
  type PreparedSource,
  prepareRemoval,
  prepareSource,
  type SourceResult,
  writeSources,
} from './ingest-source.js';
import { findMissing, findMoves, isThere, sourceNames, toReport } from './ingestion-pass.js';
import type { Source } from './source.js';
import { isHidden, type SourceListing } from './source-listing.js';
import type { CallOptions, SourceReader, Wanted } from './source-reader.js';
import { WantedGroups } from './wanted-groups.js';

interface IngestionOptions {
  readonly logger: Logger;
  readonly reader: SourceReader;
  readonly settings: SettingsSource;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly citing: Citing;
  readonly citations: Pick<CitationJudging, 'judge'>;
}

/**
 * Options of an ingestion: which sources (default all), whether to restore pruned chunks of unchanged files (which also
 * rebuilds the full-text index), a progress callback and a signal.
 */
export interface Scope extends ReplaceOptions, CallOptions, Wanted {}

/**
 * Brings the chunks of a project's sources up to date, file by file: a changed file is replaced in one transaction, a
 * deleted file loses its chunks, and an unreadable file is reported and keeps its chunks. Unchanged files are not
 * parsed, and their pruned chunks are only restored on request.
 */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly wanted: WantedGroups;
  #isStopped = false;

  constructor(options: IngestionOptions) {
    this.#options = options;
    this.wanted = new WantedGroups(options.reader);
  }

  /**
   * Reads the indexed sources before listing the files, so that a source indexed in between does not count as deleted.
   */
  async ingest(project: Project, scope: Scope = {}): Promise<IngestionReport> {
    const before = await this.#indexedBefore(project, scope);
    const ingest = () => this.#ingest(project, scope, before);
    const isOfAll = scope.group === undefined && scope.within === undefined;
    if (scope.within === undefined) this.wanted.add(project.store, scope.group ?? 'all');
    const isFirst = isOfAll && (before.length === 0 || (await isFirstIndexing(project)));
    return isFirst ? duringFirstIndexing(this.#options.clock, project, ingest) : ingest();
  }

  async #ingest(
    project: Project,
    scope: Scope,
    before: readonly IndexedSource[],
  ): Promise<IngestionReport> {
    const settings = await this.#options.settings.read(project.path);
    const listing = await this.#list(project, settings, scope);
    const pass = { project, scope, settings, cite: this.#options.citing.begin(project, settings) };
    const results = await this.#ingestListed(pass, listing, before);
    const missing = findMissing(results, before);
    const hidden = missing.filter((indexed) => isHidden(listing, indexed));
    const gone = missing.filter((indexed) => !isHidden(listing, indexed));
    const links = results.filter(({ state }) => state === 'duplicate link');
    const returned = await this.#removeGone(pass, gone, sourceNames(links));
    const removed = gone.length - returned.length;
    await this.#options.citations.judge(project);
    const outcome = { ...listing, results: [...results, ...returned], hidden, removed };
    return toReport(outcome, project, this.#options.logger);
  }

  /** Indexes the current file of one source and restores missing chunks, or removes the chunks if the file is gone. */
  async ingestFile(project: Project, sourceFile: string): Promise<SourceResult> {
    const { reader, settings, citing } = this.#options;
    const current = await settings.read(project.path);
    const source = reader.toSource(project.path, sourceFile, current);
    const cite = citing.begin(project, current);
    const prepared = await prepareSource(source, { unchanged: 'restore', cite });
    const [result] = await writeSources(project, [prepared]);
    if (result?.state === 'there') return result;
    const removal = await prepareRemoval(sourceFile, { source, cite });
    const [removed] = await writeSources(project, [removal]);
    return removed ?? { sourceFile, state: 'gone', chunks: 0 };
  }

  /** Makes every ingestion throw KnowledgeError `store_unavailable` before its next source. */
  stop(): void {
    this.#isStopped = true;
  }

  /** @throws KnowledgeError `store_unavailable` once the ingestion is stopped or cancelled */
  #checkWanted({ signal }: CallOptions): void {
    if (this.#isStopped) throw new KnowledgeError('store_unavailable', 'The service is stopping.');
    if (signal?.aborted) {
      throw new KnowledgeError('store_unavailable', 'The ingestion was cancelled.');
    }
  }

  async #indexedBefore(
    { path, store }: Project,
    { group, within }: Scope,
  ): Promise<readonly IndexedSource[]> {
    const { reader } = this.#options;
    const isWithin = within === undefined ? () => true : atOrBelow(within);
    const indexed = await store.chunks.indexedSources();
    const findGroup = reader.groupFinder(path);
    return indexed.filter(
      (source) =>
        isWithin(source.sourceFile) && (group === undefined || group === findGroup(source)),
    );
  }

  async #list(project: Project, settings: Settings, scope: Scope): Promise<SourceListing> {
    const listing = await this.#options.reader.list(project.path, settings, scope);
    if (scope.within === undefined) return listing;
    const isWithin = atOrBelow(scope.within);
    const sources = listing.sources.filter(({ sourceFile }) => isWithin(sourceFile));
    return { ...listing, sources, skipped: [] };
  }

  async #ingestListed(
    { project, scope, settings, cite }: Pass,
    listing: SourceListing,
    before: readonly IndexedSource[],
  ): Promise<readonly SourceResult[]> {
    const { unchanged = 'skip', onProgress } = scope;
    const { sources } = listing;
    const known = new Map(before.map((indexed) => [indexed.sourceFile, indexed]));
    const moves = await findMoves(before, listing);
    const sourcesRead = new Map<string, Source>();
    let done = 0;
    const prepare = (source: Source) => {
      this.#checkWanted(scope);
      onProgress?.({ done, total: sources.length });
      done += 1;
      const indexed = known.get(source.sourceFile);
      const moved = moves.get(source.sourceFile);
      const former =
        moved && this.#options.reader.toSource(project.path, moved.sourceFile, settings);
      return prepareSource(source, { cite, unchanged, indexed, sourcesRead, former });
    };
    const write = (batch: readonly PreparedSource[]) => writeSources(project, batch);
    const results = await inBatches(sources, { prepare, sizeOf: countWrites, write });
    if (unchanged === 'restore') await project.store.upkeep.maintain('rebuild');
    return results;
  }

  /**
   * Removes sources whose files are gone. A file that exists again is indexed instead, if the patterns still select it.
   */
  async #removeGone(
    { project, scope, settings, cite }: Pass,
    gone: readonly IndexedSource[],
    links: readonly string[],
  ): Promise<readonly SourceResult[]> {
    if (gone.length === 0) return [];
    const { sources } = await this.#list(project, settings, scope);
    const listed = new Set(sourceNames(sources));
    for (const link of links) listed.delete(link);
    const prepare = async ({ sourceFile, chunkCount: chunks }: IndexedSource) => {
      this.#checkWanted(scope);
      const found = this.#options.reader.toSource(project.path, sourceFile, settings);
      const isChosen = listed.has(sourceFile) || !(await found.isReadable());
      return prepareRemoval(sourceFile, { source: isChosen ? found : undefined, cite, chunks });
    };
    const write = (batch: readonly PreparedSource[]) => writeSources(project, batch);
    const results = await inBatches(gone, { prepare, sizeOf: countWrites, write });
    return results.filter(isThere);
  }
}

interface Pass {
  readonly project: Project;
  readonly scope: Scope;
  readonly settings: Settings;
  readonly cite: Cite;
}
