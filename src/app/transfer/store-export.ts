import { KnowledgeError } from '../../domain/errors.js';
import { EXPORT_PAGE_CHUNKS } from '../../domain/limits.js';
import { exportPath } from '../../domain/transfer/archive-names.js';
import {
  EXPORT_VERSION,
  type ExportedChunk,
  toJsonLine,
} from '../../domain/transfer/export-lines.js';
import { type ChunkRecord, portable } from '../../domain/transfer/records.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { ExportFiles } from '../../ports/driven/export-files.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';
import type { ProjectStore } from '../../ports/driven/project-stores.js';
import type { ExportReport } from '../../ports/driving/recovery-service.js';
import type { Project } from '../projects/project.js';

export interface ExportOptions {
  readonly exports: ExportFiles;
  readonly files: ProjectFileReader;
  readonly embedder: Pick<Embedder, 'model'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly appDirs: AppDirectories;
}

/**
 * Writes everything that a store holds as JSON lines, a page at a time.
 * @throws KnowledgeError `conflict` if there is an export of this name
 */
export async function exportStore(
  options: ExportOptions,
  { path, store }: Project,
  name: string,
): Promise<ExportReport> {
  const { exports, files, appDirs } = options;
  const file = exportPath(appDirs.of(path), name);
  const counts = { sources: 0, chunks: 0, vectors: 0 };
  if (!(await exports.create(path, file, linesOf(options, store, counts)))) {
    throw new KnowledgeError(
      'conflict',
      'There is an export of this name; choose another one, or delete its file.',
    );
  }
  const stat = await files.statOf(path, file);
  const bytes = stat !== undefined && 'bytes' in stat ? stat.bytes : 0;
  return { name, file, bytes, ...counts };
}

/**
 * Sources come first: if a file is indexed meanwhile, its hash is then older than its chunks, and whoever
 * imports both reads the file again.
 */
async function* linesOf(
  { embedder, clock }: ExportOptions,
  store: ProjectStore,
  counts: Counts,
): AsyncGenerator<string> {
  yield toJsonLine({
    kind: 'knowledge-store-export',
    version: EXPORT_VERSION,
    createdAt: clock.now().toISOString(),
    model: embedder.model,
  });
  const links = await store.chunks.supersessions();
  const supersedes = new Map(links.map((link) => [link.sourceFile, link]));
  for (const { chunkCount: _, ...source } of await store.chunks.indexedSources()) {
    counts.sources += 1;
    yield toJsonLine({ kind: 'source', ...source, ...supersedes.get(source.sourceFile) });
  }
  for await (const line of chunksOf(store)) {
    counts.chunks += 1;
    counts.vectors += Number('vector' in line) + Number('questionVector' in line);
    yield toJsonLine(line);
  }
  yield toJsonLine({ kind: 'end', sources: counts.sources, chunks: counts.chunks });
}

interface Counts {
  sources: number;
  chunks: number;
  vectors: number;
}

async function* chunksOf(store: ProjectStore): AsyncGenerator<ExportedChunk> {
  for (let after: string | undefined; ; ) {
    const page = await store.records.page(after, EXPORT_PAGE_CHUNKS);
    yield* await withVectors(store, page.records);
    if (page.next === undefined) return;
    after = page.next;
  }
}

async function withVectors(
  store: ProjectStore,
  records: readonly ChunkRecord[],
): Promise<readonly ExportedChunk[]> {
  const vectors = await store.vectors.vectorsOf(idsOf(records));
  const asked = records.filter(({ questions }) => questions !== undefined);
  const questionVectors = await store.questionVectors.vectorsOf(idsOf(asked));
  return records.map((record) => {
    const vector = vectors.get(record.chunk.id);
    const questionVector = questionVectors.get(record.chunk.id);
    return {
      kind: 'chunk',
      ...portable(record),
      ...(vector !== undefined && { vector }),
      ...(questionVector !== undefined && { questionVector }),
    };
  });
}

function idsOf(records: readonly ChunkRecord[]): readonly string[] {
  return records.map(({ chunk }) => chunk.id);
}
