import {
  type AddedRecords,
  type ChunkRecord,
  countOutcomes,
  hashWhileAdded,
  type RecordOutcome,
  type SourceRecord,
} from '../../domain/transfer/records.js';
import type { RecordPage, StoreRecords } from '../../ports/driven/store-records.js';
import type { ProjectTables, Row } from './project-tables.js';

/** Everything in the tables of one project, in order of insertion. */
export class InMemoryStoreRecords implements StoreRecords {
  readonly #tables: ProjectTables;
  readonly #projectPath: string;

  constructor(tables: ProjectTables, projectPath: string) {
    this.#tables = tables;
    this.#projectPath = projectPath;
  }

  async page(after: string | undefined, limit: number): Promise<RecordPage> {
    const rows = this.#tables.rows().filter(({ order }) => order > Number(after ?? 0));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const records = page.map((row) => this.#recordOf(row));
    return rows.length > limit && last !== undefined
      ? { records, next: String(last.order) }
      : { records };
  }

  add(records: readonly ChunkRecord[]): Promise<AddedRecords> {
    return this.#tables.write(() => countOutcomes(records.map((record) => this.#add(record))));
  }

  addSources(sources: readonly SourceRecord[]): Promise<void> {
    return this.#tables.write(() => {
      for (const { sourceFile, sourceType, contentHash, documentChunkCount } of sources) {
        const known = this.#tables.sources.get(sourceFile)?.contentHash ?? '';
        if (known !== '' && known !== contentHash) continue;
        const source = { sourceFile, sourceType, contentHash, documentChunkCount, chunkCount: 0 };
        this.#tables.sources.set(sourceFile, source);
      }
    });
  }

  #recordOf({ chunk, retrievalCount, lastRetrievedAt, questions, isForeign }: Row): ChunkRecord {
    const { projectPath: _, ...rest } = chunk;
    const source = this.#tables.sources.get(chunk.sourceFile);
    return {
      chunk: rest,
      ...(isForeign !== true && { contentHash: source?.contentHash ?? '' }),
      retrievalCount,
      ...(lastRetrievedAt !== undefined && { lastRetrievedAt }),
      ...(questions !== undefined && questions.length > 0 && { questions }),
    };
  }

  #add(added: ChunkRecord): RecordOutcome {
    const { chunk, contentHash, ...record } = added;
    const isForeign = contentHash === undefined;
    const indexedHash = isForeign ? '' : this.#rememberSource(added);
    if (indexedHash !== '' && indexedHash !== contentHash) return 'different';
    const [present] = this.#tables.rowsOf([chunk.id]);
    if (present === undefined) {
      const own = { ...chunk, projectPath: this.#projectPath };
      this.#tables.append({ ...record, chunk: own, ...(isForeign && { isForeign }) });
      return 'added';
    }
    const { heading, content } = present.chunk;
    if (heading !== chunk.heading || content !== chunk.content) return 'different';
    this.#tables.put(merged(present, record));
    return 'merged';
  }

  /** Empty for a source that is being imported, which then counts as changed; otherwise its present hash. */
  #rememberSource(record: ChunkRecord): string {
    const { sourceFile, sourceType } = record.chunk;
    const contentHash = hashWhileAdded(record);
    const known = this.#tables.sources.get(sourceFile);
    if (known !== undefined) return known.contentHash;
    const counts = { chunkCount: 0, documentChunkCount: 0 };
    this.#tables.sources.set(sourceFile, { sourceFile, sourceType, contentHash, ...counts });
    return '';
  }
}

/** Times are ISO 8601 in UTC, so the later one is the greater text. */
function merged(
  row: Row,
  record: Pick<Row, 'retrievalCount' | 'lastRetrievedAt' | 'questions'>,
): Row {
  const lastRetrievedAt = [row.lastRetrievedAt ?? '', record.lastRetrievedAt ?? '']
    .toSorted()
    .at(-1);
  const questions = row.questions ?? record.questions;
  return {
    ...row,
    retrievalCount: Math.max(row.retrievalCount, record.retrievalCount),
    ...(lastRetrievedAt && { lastRetrievedAt }),
    ...(questions !== undefined && { questions }),
  };
}
