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

interface ChunkRepositoryContext {
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
    return [...this.#tables.sources.values()].map(({ supersedes: _, ...source }) => ({
      ...source,
      chunkCount: this.#rowsOfSource(source.sourceFile).length,
    }));
  }

  async sources(): Promise<readonly SourceSummary[]> {
    const rows = this.#tables.rows();
    const sources = [...rows.map(({ chunk }) => chunk), ...this.#tables.sources.values()];
    const types = new Map(sources.map(({ sourceFile, sourceType }) => [sourceFile, sourceType]));
    return Array.from(types, ([sourceFile, sourceType]) => {
      const own = rows.filter(({ chunk }) => chunk.sourceFile === sourceFile);
      return {
        sourceFile,
        sourceType,
        chunks: own.length,
        retrievals: own.reduce((sum, { retrievalCount }) => sum + retrievalCount, 0),
        ...lastUpdate(own),
      };
    }).toSorted((a, b) => (a.sourceFile < b.sourceFile ? -1 : 1));
  }

  async supersessions(): Promise<readonly Supersession[]> {
    return [...this.#tables.sources.values()].flatMap(({ sourceFile, supersedes }) =>
      supersedes === undefined ? [] : [{ sourceFile, supersedes }],
    );
  }

  async getChunks(ids: readonly string[]): Promise<readonly Chunk[]> {
    return this.#tables.rowsOf(ids).map(({ chunk }) => chunk);
  }

  async stats(): Promise<ContentStats> {
    const rows = this.#tables.rows();
    const counts = { ...NO_CONTENT.sourceTypeBreakdown };
    for (const { chunk } of rows) counts[chunk.sourceType] += 1;
    return {
      totalChunks: rows.length,
      uniqueSources: new Set(rows.map(({ chunk }) => chunk.sourceFile)).size,
      sourceTypeBreakdown: counts,
      ...lastUpdate(rows),
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
    for (const placed of plan.added)
      this.#tables.append({ chunk: this.#newChunk(placed, document), retrievalCount: 0 });
    writeCitations(this.#tables, citationChange(plan, document), this.#context.clock.now());
    if (former !== undefined) this.#tables.sources.delete(former);
    const source = { sourceFile, sourceType, contentHash, supersedes };
    this.#tables.sources.set(sourceFile, { ...source, documentChunkCount: chunks.length });
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

function lastUpdate(rows: readonly Row[]): { readonly lastUpdated?: string } {
  const dates = rows.map(({ chunk }) => chunk.updatedAt).toSorted();
  return dates.length === 0 ? {} : { lastUpdated: dates.at(-1) as string };
}

function textOf({ id, heading, content }: Chunk) {
  return { id, heading, content };
}

function metadataOf({ sourceFile, chunkIndex, tags, importance, sourceType }: Chunk): string {
  return JSON.stringify([sourceFile, chunkIndex, tags ?? [], importance, sourceType]);
}
