import type { SourceDocument } from '../../domain/chunks/chunk.js';
import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import type { IndexedSource } from '../../ports/driven/chunk-store.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';
import type { IngestionReport } from '../../ports/driving/ingestion-service.js';
import type { Project } from '../projects/project.js';
import type { Source } from './source.js';
import type { SourceReader } from './source-reader.js';

export interface IngestionPorts {
  readonly reader: SourceReader;
  readonly settings: SettingsSource;
  readonly logger: Logger;
}

/**
 * Brings the chunks of a project's sources up to date, file by file: an unchanged file is skipped, a
 * changed one replaced in one transaction, one that is gone loses its chunks, and one that cannot be
 * read is reported and keeps what it had.
 */
export class Ingestion {
  readonly #ports: IngestionPorts;

  constructor(ports: IngestionPorts) {
    this.#ports = ports;
  }

  async ingestReflections(project: Project): Promise<IngestionReport> {
    const { reader, settings } = this.#ports;
    const sources = await reader.reflections(project.path, await settings.read(project.path));
    return this.#ingest(project, sources, ({ sourceType }) => sourceType === 'reflection');
  }

  async ingestAgentOutputs(project: Project): Promise<IngestionReport> {
    const sources = await this.#ports.reader.agentOutputs(project.path);
    return this.#ingest(project, sources, ({ sourceType }) => sourceType === 'agent_output');
  }

  async ingestCategories(project: Project): Promise<IngestionReport> {
    const { reader, settings } = this.#ports;
    const sources = await reader.categories(project.path, await settings.read(project.path));
    return this.#ingest(project, sources, ({ sourceFile }) => reader.isCategoryFile(sourceFile));
  }

  /** Reflections, agent outputs, memory categories, and the documentation that the patterns choose. */
  async ingestAll(project: Project): Promise<IngestionReport> {
    const { reader, settings: source } = this.#ports;
    const settings = await source.read(project.path);
    const sources = [
      ...(await reader.reflections(project.path, settings)),
      ...(await reader.agentOutputs(project.path)),
      ...(await reader.categories(project.path, settings)),
      ...(await reader.documentation(project.path, settings)),
    ];
    return this.#ingest(project, sources, () => true);
  }

  async #ingest(
    project: Project,
    sources: readonly Source[],
    concerns: (indexed: IndexedSource) => boolean,
  ): Promise<IngestionReport> {
    const before = await project.store.chunks.indexedSources();
    const known = new Map(before.map((indexed) => [indexed.sourceFile, indexed]));
    const results: SourceResult[] = [];
    for (const source of sources) results.push(await ingestSource(project, source, known));
    const present = new Set(
      results.filter(({ isThere }) => isThere).map(({ sourceFile }) => sourceFile),
    );
    const gone = before.filter((indexed) => concerns(indexed) && !present.has(indexed.sourceFile));
    for (const { sourceFile } of gone) await this.#removeGone(project, sources, sourceFile);
    return this.#report(project, results);
  }

  /** A file that came back meanwhile is read after all. */
  async #removeGone(
    project: Project,
    sources: readonly Source[],
    sourceFile: string,
  ): Promise<void> {
    const source = sources.find((candidate) => candidate.sourceFile === sourceFile);
    await project.store.chunks.replaceSource(
      sourceFile,
      async () => source && readDocument(source),
    );
  }

  #report(project: Project, results: readonly SourceResult[]): IngestionReport {
    const skipped = results.flatMap(({ sourceFile, skipped: reason }) =>
      reason === undefined ? [] : [{ sourceFile, reason }],
    );
    if (skipped.length > 0) {
      this.#ports.logger.warn('Some files were not read.', { project: project.path, skipped });
    }
    return { indexed: results.filter(({ isHeld }) => isHeld).length, skipped };
  }
}

interface SourceResult {
  readonly sourceFile: string;
  readonly isThere: boolean;
  /** Whether the index now holds text of it. */
  readonly isHeld: boolean;
  readonly skipped?: string;
}

type Known = ReadonlyMap<string, IndexedSource>;

/** One bad file never fails the others; a store that cannot be written does. */
async function ingestSource(project: Project, source: Source, known: Known): Promise<SourceResult> {
  const { sourceFile } = source;
  const indexed = known.get(sourceFile);
  try {
    const document = await readDocument(source);
    if (document === undefined) return { sourceFile, isThere: false, isHeld: false };
    if (document.contentHash !== indexed?.contentHash) {
      await project.store.chunks.replaceSource(sourceFile, () => readDocument(source));
    }
    return { sourceFile, isThere: true, isHeld: document.chunks.length > 0 };
  } catch (error) {
    if (error instanceof KnowledgeError) throw error;
    const isHeld = (indexed?.chunkCount ?? 0) > 0;
    return { sourceFile, isThere: true, isHeld, skipped: reasonOf(error) };
  }
}

async function readDocument(source: Source): Promise<SourceDocument | undefined> {
  const reading = await source.read();
  if (reading !== undefined && 'skipped' in reading) throw new Error(reading.skipped);
  return reading;
}
