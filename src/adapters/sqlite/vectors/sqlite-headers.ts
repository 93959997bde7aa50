import type { Database } from 'better-sqlite3';
import { weighedHeader } from '../../../domain/ranking/vector.js';
import type { HeaderEntry, HeaderIndex, PendingHeader } from '../../../ports/vector-index.js';
import { prepared } from '../database/prepared.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { toBlob } from './encodings.js';

interface HeaderOptions {
  readonly model: string;
  readonly dimensions: number;
}

interface HeaderRow extends PendingHeader {
  readonly model: string | null;
}

/** The headers of one project, in `store_names`. */
export class SqliteHeaders implements HeaderIndex {
  readonly #database: SqliteDatabase;
  readonly #options: HeaderOptions;

  constructor(database: SqliteDatabase, options: HeaderOptions) {
    this.#database = database;
    this.#options = options;
  }

  pending(limit: number): Promise<readonly PendingHeader[]> {
    return this.#database.read((db) =>
      prepared<[string, number], HeaderRow>(
        db,
        `SELECT source_file AS sourceFile, header AS text, model FROM store_names
         WHERE header <> '' AND model IS NOT ? ORDER BY id DESC LIMIT ?`,
      )
        .all(this.#options.model, limit)
        .map(({ model, ...header }) =>
          model === null ? header : { ...header, hasOtherModel: true },
        ),
    );
  }

  put(entries: readonly HeaderEntry[]): Promise<void> {
    return this.#database.write((db) => {
      for (const entry of entries) this.#save(db, entry);
    });
  }

  #save(db: Database, { sourceFile, text, vector }: HeaderEntry): void {
    const { model, dimensions } = this.#options;
    const weighed = weighedHeader(vector, dimensions);
    prepared(
      db,
      'UPDATE store_names SET model = ?, vector = ? WHERE source_file = ? AND header = ?',
    ).run(model, weighed === undefined ? null : toBlob(weighed), sourceFile, text);
  }
}

/** Joins the header `h` of a chunk, by the alias of a table that has its `source_file`. */
export function headerJoin(chunks: string): string {
  return `LEFT JOIN store_names h ON h.source_file = ${chunks}.source_file AND h.model = @model`;
}
