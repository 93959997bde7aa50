import type { Chunk, SourceDocument } from '../../domain/chunks/chunk.js';
import { type PlacedDraft, planSource } from '../../domain/chunks/source-plan.js';
import { citationChange } from '../../domain/citations/citation-change.js';
import type { Supersession } from '../../domain/saved/supersession.js';
import { type ContentStats, NO_CONTENT } from '../../domain/stats.js';
import type {
  ChunkRepository,
  IndexedSource,
  ReplaceOptions,
  ReplaceOutcome,
  SourceSummary,
} from '../../ports/driven/chunk-repository.js';
import type { Clock } from '../../ports/driven/clock.js';
import { writeCitations } from './in-memory-citations.js';
import type { ProjectData } from './in-memory-data.js';
import type { ProjectTables, Row } from './project-tables.js';

export interface ChunkRepositoryContext {
  readonly projectPath: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** The chunks of one project in memory. */
export class InMemoryChunkRepository implements ChunkRepository {
  readonly #data: ProjectData;
  readonly #tables: ProjectTables;
  readonly #context: ChunkRepositoryContext;

  constructor(data: ProjectData, context: ChunkRepositoryContext) {
    this.#data = data;
    this.#tables = data.tables;
    this.#context = context;
  }

  replaceSource(
    sourceFile: string,
    read: () => Promise<SourceDocument | undefined>,
    { unchanged = 'skip' }: ReplaceOptions = {},
  ): Promise<ReplaceOutcome> {
    return this.#tables.write(async () => {
      const document = await read();
      if (document === undefined) {
        this.#remove(sourceFile);
        return 'gone';
      }
      const isSame = this.#tables.sources.get(sourceFile)?.contentHash === document.contentHash;
      if (isSame && unchanged === 'skip') return 'unchanged';
      this.#write(document, unchanged);
      return 'indexed';
    });
  }

  async indexedSources(): Promise<readonly IndexedSource[]> {
    const rows = this.#tables.rows();
    return [...this.#tables.sources.values()].map(({ supersedes: _, ...source }) => ({
      ...source,
      chunkCount: rows.filter(
        ({ chunk, isForeign }) => chunk.sourceFile === source.sourceFile && isForeign !== true,
      ).length,
    }));
  }

  async sources(): Promise<readonly SourceSummary[]> {
    const sources = new Map<string, Pick<SourceSummary, 'sourceFile' | 'sourceType'>>();
    for (const { chunk } of this.#tables.rows()) sources.set(chunk.sourceFile, chunk);
    for (const source of this.#tables.sources.values()) sources.set(source.sourceFile, source);
    const groups = new Map<string, Row[]>();
    for (const sourceFile of sources.keys()) groups.set(sourceFile, []);
    for (const row of this.#tables.rows()) groups.get(row.chunk.sourceFile)?.push(row);
    return [...sources.values()]
      .map(({ sourceFile, sourceType }) =>
        summaryOf({ sourceFile, sourceType }, groups.get(sourceFile) ?? []),
      )
      .toSorted((a, b) => (a.sourceFile < b.sourceFile ? -1 : 1));
  }

  async supersessions(): Promise<readonly Supersession[]> {
    return this.#tables.supersessions();
  }

  async getChunks(ids: readonly string[]): Promise<readonly Chunk[]> {
    return this.#tables.rowsOf(ids).map(({ chunk }) => chunk);
  }

  async stats(): Promise<ContentStats> {
    const chunks = this.#tables.rows().map(({ chunk }) => chunk);
    const counts = { ...NO_CONTENT.sourceTypeBreakdown };
    for (const { sourceType } of chunks) counts[sourceType] += 1;
    const lastUpdated = chunks
      .map(({ updatedAt }) => updatedAt)
      .toSorted()
      .at(-1);
    return {
      totalChunks: chunks.length,
      uniqueSources: new Set(chunks.map(({ sourceFile }) => sourceFile)).size,
      sourceTypeBreakdown: counts,
      ...(lastUpdated !== undefined && { lastUpdated }),
      sizeBytes: 0,
    };
  }

  #remove(sourceFile: string): void {
    this.#tables.delete(this.#rowsOfSource(sourceFile));
    this.#tables.sources.delete(sourceFile);
  }

  #write(document: SourceDocument, unchanged: 'skip' | 'restore'): void {
    const { sourceFile, sourceType, contentHash, supersedes, chunks } = document;
    const former = this.#formerFile(document);
    const files = [sourceFile, former ?? []].flat();
    const rows = files.flatMap((file) => this.#rowsOfSource(file));
    const plan = planSource({
      document,
      existing: rows.map((row) => ({ ...textOf(row.chunk), row })),
      takenIds: this.#foreignIds(),
      movedFrom: unchanged === 'skip' ? former : undefined,
    });
    this.#tables.delete(rows);
    for (const placed of plan.kept) {
      const { row } = placed.existing;
      this.#tables.put({ ...row, chunk: this.#keptChunk(row.chunk, placed, document) });
    }
    if (former !== undefined) {
      this.#data.renameVectors(new Map(plan.kept.map(({ id, existing }) => [existing.id, id])));
    }
    for (const placed of plan.added) this.#tables.insert(this.#newChunk(placed, document));
    writeCitations(this.#tables, citationChange(plan, document), this.#context.clock.now());
    if (former !== undefined) this.#tables.sources.delete(former);
    const count = { chunkCount: chunks.length, documentChunkCount: chunks.length };
    const source = { sourceFile, sourceType, contentHash, supersedes };
    this.#tables.sources.set(sourceFile, { ...source, ...count });
  }

  /** Where the document was before, unless what is indexed there has changed meanwhile. */
  #formerFile({ movedFrom, contentHash }: SourceDocument): string | undefined {
    const former = movedFrom === undefined ? undefined : this.#tables.sources.get(movedFrom);
    return former?.contentHash === contentHash ? movedFrom : undefined;
  }

  #rowsOfSource(sourceFile: string): readonly Row[] {
    return this.#tables
      .rows()
      .filter(({ chunk, isForeign }) => chunk.sourceFile === sourceFile && isForeign !== true)
      .toSorted((a, b) => a.chunk.chunkIndex - b.chunk.chunkIndex);
  }

  #foreignIds(): ReadonlySet<string> {
    const foreign = this.#tables.rows().filter(({ isForeign }) => isForeign === true);
    return new Set(foreign.map(({ chunk }) => chunk.id));
  }

  #newChunk({ id, place, draft }: PlacedDraft, document: SourceDocument): Chunk {
    const now = this.#context.clock.now().toISOString();
    return {
      id,
      sourceType: document.sourceType,
      sourceFile: document.sourceFile,
      projectPath: this.#context.projectPath,
      chunkIndex: place,
      ...(draft.heading !== undefined && { heading: draft.heading }),
      content: draft.content,
      ...(draft.tags !== undefined && draft.tags.length > 0 && { tags: draft.tags }),
      importance: draft.importance,
      createdAt: now,
      updatedAt: now,
    };
  }

  /** The chunk itself if nothing differs, otherwise a copy with its new position and metadata. */
  #keptChunk(former: Chunk, placed: PlacedDraft, document: SourceDocument): Chunk {
    const { createdAt, updatedAt } = former;
    const next = { ...this.#newChunk(placed, document), createdAt };
    const isSame = metadataOf({ ...next, updatedAt }) === metadataOf(former);
    return isSame ? former : next;
  }
}

function summaryOf(
  source: Pick<SourceSummary, 'sourceFile' | 'sourceType'>,
  rows: readonly Row[],
): SourceSummary {
  const lastUpdated = rows
    .map(({ chunk }) => chunk.updatedAt)
    .toSorted()
    .at(-1);
  return {
    ...source,
    chunks: rows.length,
    retrievals: rows.reduce((sum, { retrievalCount }) => sum + retrievalCount, 0),
    ...(lastUpdated !== undefined && { lastUpdated }),
  };
}

function textOf({ id, heading, content }: Chunk) {
  return { id, heading, content };
}

function metadataOf({ sourceFile, chunkIndex, tags, importance, sourceType }: Chunk): string {
  return JSON.stringify([sourceFile, chunkIndex, tags ?? [], importance, sourceType]);
}
