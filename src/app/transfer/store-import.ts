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
  const { model } = await headerOf(lines);
  const isSameModel = model === embedder.model;
  const report = await new Import(project.store, isSameModel).take(lines);
  enrichment.wake(project);
  return { ...report, ...(!isSameModel && { otherModel: model }) };
}

/** One import under way. */
class Import {
  readonly #store: ProjectStore;
  readonly #takesVectors: boolean;
  readonly #sources: ExportedSource[] = [];
  readonly #report = { added: 0, merged: 0, different: 0, vectors: 0 };
  #page: ExportedChunk[] = [];
  #pageCharacters = 0;
  #chunks = 0;

  constructor(store: ProjectStore, takesVectors: boolean) {
    this.#store = store;
    this.#takesVectors = takesVectors;
  }

  /** Sources are remembered last: until then, those whose chunks are incomplete count as changed. */
  async take(lines: AsyncIterable<ExportLine>): Promise<ImportReport> {
    let isComplete = false;
    for await (const line of lines) {
      if (isComplete) throw incomplete('goes on after its end');
      if (line.kind === 'source') this.#sources.push(line);
      if (line.kind === 'chunk') await this.#takeChunk(line);
      if (line.kind !== 'end') continue;
      isComplete = line.chunks === this.#chunks && line.sources === this.#sources.length;
      if (!isComplete) throw incomplete('lacks some of its lines');
    }
    if (!isComplete) throw incomplete('has no end');
    await this.#writePage();
    await this.#store.records.addSources(this.#sources);
    return { ...this.#report, sources: this.#sources.length };
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
    const { records, vectors, questionVectors } = this.#store;
    const report = this.#report;
    const { added, merged, different } = await records.add(page.map(recordOf));
    report.added += added;
    report.merged += merged;
    report.different += different;
    if (!this.#takesVectors) return;
    const [ofTexts, ofQuestions] = [page.flatMap(textVectorOf), page.flatMap(questionVectorOf)];
    report.vectors += (await vectors.put(ofTexts)) + (await questionVectors.put(ofQuestions));
  }
}

function recordOf({ kind: _, vector: __, questionVector: ___, ...record }: ExportedChunk) {
  return record;
}

function textVectorOf({ chunk, vector }: ExportedChunk) {
  return vector === undefined ? [] : [{ chunkId: chunk.id, texts: [embeddingText(chunk)], vector }];
}

function questionVectorOf({ chunk, questions: texts, questionVector: vector }: ExportedChunk) {
  return vector === undefined || texts === undefined ? [] : [{ chunkId: chunk.id, texts, vector }];
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
