import { KnowledgeError } from '../../domain/errors.js';
import { isPushed } from '../../domain/pushed-document.js';
import type { Settings } from '../../domain/settings.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { IndexedSource } from '../../ports/driven/chunk-repository.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';
import type { IngestionReport } from '../../ports/driving/ingestion-service.js';
import { type Cite, type Citing, noCiting } from '../citations/citing.js';
import type { Project } from '../projects/project.js';
import { withDeferredIndexing } from './deferred-indexing.js';
import { inBatches } from './in-batches.js';
import { ingestSource, prepareSource, removeSource } from './ingest-source.js';
import { reportOf } from './ingestion-report.js';
import {
  changedScope,
  createScopes,
  type IngestionScopes,
  type ReadingOptions,
  type Scope,
  stepsOf,
} from './ingestion-scopes.js';
import {
  hiddenResult,
  isDuplicateLink,
  isHidden,
  isThere,
  missingIn,
  type Source,
  type SourceResult,
} from './source.js';
import { findMoves } from './source-moves.js';
import type { SourceReader } from './source-reader.js';
import { warnOfSupersessions } from './supersession-notes.js';

interface IngestionOptions {
  readonly reader: SourceReader;
  readonly settings: SettingsSource;
  readonly logger: Logger;
  readonly appDirs: AppDirectories;
  /** Default: chunks cite nothing. */
  readonly citing?: Citing | undefined;
}

/**
 * Brings the chunks of a project's sources up to date, file by file: a changed file is replaced in one
 * transaction, one that is gone loses its chunks, and one that may not be read is reported and keeps
 * what it had. An unchanged file is not parsed, and its pruned chunks stay away unless everything is
 * ingested.
 */
export class Ingestion {
  readonly #options: IngestionOptions;
  #isStopped = false;
  readonly #scopes: (project: Project) => IngestionScopes;

  constructor(options: IngestionOptions) {
    this.#options = options;
    this.#scopes = ({ path }) => createScopes(options.reader, options.appDirs.of(path));
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

  /** Brings one source up to date with its file, gone or not; restores chunks that are missing. */
  async ingestFile(project: Project, sourceFile: string): Promise<SourceResult> {
    const { reader, citing = noCiting } = this.#options;
    const settings = await this.#options.settings.read(project.path);
    const source = reader.sourceOf(project.path, sourceFile, settings);
    const cite = citing.begin(project, settings);
    const known = { indexed: undefined, unchanged: 'restore', cite } as const;
    const result = await ingestSource(project, source, known);
    if (result.state === 'there') return result;
    return removeSource(project, { sourceFile, chunkCount: 0 }, { source, cite });
  }

  /** All sources. */
  async ingestAll(project: Project, options?: ReadingOptions): Promise<IngestionReport> {
    const { everything } = this.#scopes(project);
    const report = await this.#ingest(project, { ...everything, ...options });
    await warnOfSupersessions(this.#options.logger, project);
    return report;
  }

  /** The sources at or below some paths, or all of them; pruned chunks of unchanged files stay away. */
  ingestChanged(project: Project, paths: readonly string[] | undefined): Promise<IngestionReport> {
    return this.#ingest(project, changedScope(this.#options.reader, paths));
  }

  /** Lets every ingestion that is under way end before its next source, with KnowledgeError `store_unavailable`. */
  stop(): void {
    this.#isStopped = true;
  }

  #checkRunning(): void {
    if (this.#isStopped) throw new KnowledgeError('store_unavailable', 'The service is stopping.');
  }

  /** What is indexed is noted before the files are listed: a source that is indexed meanwhile is not gone. */
  async #ingest(project: Project, scope: Scope): Promise<IngestionReport> {
    const settings = await this.#options.settings.read(project.path);
    const indexedBefore = await project.store.chunks.indexedSources();
    const before = indexedBefore.filter((source) => !isPushed(source) && scope.concerns(source));
    const listing = await scope.list(project.path, settings);
    const known = new Map(before.map((indexed) => [indexed.sourceFile, indexed]));
    const moves = await findMoves(before, listing);
    const files = new Set<string>();
    const { unchanged = 'skip' } = scope;
    const { citing = noCiting } = this.#options;
    const cite = citing.begin(project, settings);
    const step = stepsOf(listing.sources.length, scope);
    const prepare = (source: Source) => {
      this.#checkRunning();
      step();
      const indexed = known.get(source.sourceFile);
      const moved = moves.get(source.sourceFile);
      const former =
        moved && this.#options.reader.sourceOf(project.path, moved.sourceFile, settings);
      return prepareSource(project, source, { indexed, unchanged, former, files, cite });
    };
    const results = await withDeferredIndexing(project, listing, () =>
      inBatches(listing.sources, prepare, BATCH_LIMITS),
    );
    const missing = missingIn(results, before);
    const hidden = missing.filter((indexed) => isHidden(listing, indexed));
    const gone = missing.filter((indexed) => !isHidden(listing, indexed));
    const twice = new Set(results.filter(isDuplicateLink).map(({ sourceFile }) => sourceFile));
    const returned = await this.#removeGone(project, { scope, settings, gone, twice, cite });
    const removed = gone.length - returned.length;
    const all = [...results, ...hidden.map(hiddenResult), ...returned];
    return reportOf(all, { ...listing, removed, project, logger: this.#options.logger });
  }

  /** A file that came back meanwhile is read after all; one that the patterns no longer choose is not. */
  async #removeGone(
    project: Project,
    { scope, settings, gone, twice, cite }: Removal,
  ): Promise<readonly SourceResult[]> {
    if (gone.length === 0) return [];
    const { reader } = this.#options;
    const { sources } = await scope.list(project.path, settings);
    const listed = new Map(sources.map((source) => [source.sourceFile, source]));
    const results: SourceResult[] = [];
    for (const indexed of gone) {
      this.#checkRunning();
      const { sourceFile } = indexed;
      const source = reader.sourceOf(project.path, sourceFile, settings);
      const isListed = listed.has(sourceFile) && !twice.has(sourceFile);
      const isChosen = isListed || !(await source.isReadable());
      const there = { source: isChosen ? source : undefined, cite };
      results.push(await removeSource(project, indexed, there));
    }
    return results.filter(isThere);
  }
}

/** Written together: few enough that others do not wait long for the lock. */
const BATCH_LIMITS = { maxItems: 32, maxSize: 800 };

interface Removal {
  readonly scope: Scope;
  readonly settings: Settings;
  readonly gone: readonly IndexedSource[];
  /** Those of `gone` that are links to other sources. */
  readonly twice: ReadonlySet<string>;
  readonly cite: Cite;
}
