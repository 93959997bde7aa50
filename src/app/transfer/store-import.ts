import { embeddingText } from '../../domain/chunks/chunk.js';
import { KnowledgeError } from '../../domain/errors.js';
import { EXPORT_PAGE_CHUNKS, EXPORT_PAGE_MAX_CHARACTERS } from '../../domain/limits.js';
import { exportPath } from '../../domain/transfer/archive-names.js';
import {
  type ExportedChunk,
  type ExportedSource,
  type ExportHeader,
  type ExportLine,
  fromJsonLine,
} from '../../domain/transfer/export-lines.js';
import { addCounts, NO_RECORDS } from '../../domain/transfer/records.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { ExportFiles } from '../../ports/driven/export-files.js';
import type { ProjectStore } from '../../ports/driven/project-stores.js';
import type { ImportReport } from '../../ports/driving/recovery-service.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import type { Project } from '../projects/project.js';

export interface ImportOptions {
  readonly exports: ExportFiles;
  readonly embedder: Pick<Embedder, 'model'>;
  readonly enrichment: Pick<Enrichment, 'wake'>;
  readonly appDirs: AppDirectories;
}

/** Adds the lines of an export to a store, a page at a time. */
export async function importStore(
  { exports, embedder, enrichment, appDirs }: ImportOptions,
  project: Project,
  name: string,
): Promise<ImportReport> {
  const file = exportPath(appDirs.of(project.path), name);
  const lines = parsedLines(exports.lines(project.path, file));
  const header = await headerOf(lines);
  const hasOtherModel = header.model !== embedder.model;
  const reading = new Reading(project.store, hasOtherModel ? 'without vectors' : 'with vectors');
  for await (const line of lines) await reading.take(line);
  const report = await reading.finish();
  enrichment.wake(project);
  return { ...report, ...(hasOtherModel && { otherModel: header.model }) };
}

/** One import under way. */
class Reading {
  readonly #store: ProjectStore;
  readonly #takes: 'with vectors' | 'without vectors';
  readonly #sources: ExportedSource[] = [];
  #page: ExportedChunk[] = [];
  #pageCharacters = 0;
  #chunks = 0;
  #vectors = 0;
  #records = NO_RECORDS;
  #isComplete = false;

  constructor(store: ProjectStore, takes: 'with vectors' | 'without vectors') {
    this.#store = store;
    this.#takes = takes;
  }

  async take(line: ExportLine): Promise<void> {
    if (this.#isComplete) throw incomplete('goes on after its end');
    if (line.kind === 'source') this.#sources.push(line);
    if (line.kind === 'chunk') await this.#takeChunk(line);
    if (line.kind === 'end') {
      this.#isComplete = line.chunks === this.#chunks && line.sources === this.#sources.length;
      if (!this.#isComplete) throw incomplete('lacks some of its lines');
    }
  }

  /** Sources are remembered last: until then, those whose chunks are incomplete count as changed. */
  async finish(): Promise<ImportReport> {
    if (!this.#isComplete) throw incomplete('has no end');
    await this.#writePage();
    await this.#store.records.addSources(this.#sources);
    return { ...this.#records, sources: this.#sources.length, vectors: this.#vectors };
  }

  async #takeChunk(line: ExportedChunk): Promise<void> {
    this.#page.push(line);
    this.#chunks += 1;
    this.#pageCharacters += line.chunk.content.length;
    const isFull = this.#page.length >= EXPORT_PAGE_CHUNKS;
    if (isFull || this.#pageCharacters > EXPORT_PAGE_MAX_CHARACTERS) await this.#writePage();
  }

  async #writePage(): Promise<void> {
    const page = this.#page;
    this.#page = [];
    this.#pageCharacters = 0;
    if (page.length === 0) return;
    const records = page.map(({ kind: _, vector: __, questionVector: ___, ...record }) => record);
    this.#records = addCounts(this.#records, await this.#store.records.add(records));
    if (this.#takes === 'without vectors') return;
    const { vectors, questionVectors } = this.#store;
    this.#vectors += await vectors.put(
      page.flatMap(({ chunk, vector }) =>
        vector === undefined ? [] : [{ chunkId: chunk.id, texts: [embeddingText(chunk)], vector }],
      ),
    );
    this.#vectors += await questionVectors.put(
      page.flatMap(({ chunk, questions: texts, questionVector: vector }) =>
        vector === undefined || texts === undefined ? [] : [{ chunkId: chunk.id, texts, vector }],
      ),
    );
  }
}

async function* parsedLines(lines: AsyncIterable<string>): AsyncGenerator<ExportLine> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line !== '') yield fromJsonLine(line, number);
  }
}

async function headerOf(lines: AsyncGenerator<ExportLine>): Promise<ExportHeader> {
  const first = await lines.next();
  if (first.done !== true && first.value.kind === 'knowledge-store-export') return first.value;
  throw new KnowledgeError('not_readable', 'The file is not an export of a knowledge store.');
}

function incomplete(how: string): KnowledgeError {
  return new KnowledgeError(
    'not_readable',
    `The export ${how}; what was read of it stays. Export it again, or copy the file again.`,
  );
}
