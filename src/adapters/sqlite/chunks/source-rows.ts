import type { Database } from 'better-sqlite3';
import type { SourceDocument } from '../../../domain/chunks/chunk.js';
import type { Supersession } from '../../../domain/saved/supersession.js';
import { prepared } from '../database/prepared.js';

/** A chunk of this service, as far as it is compared. */
export interface OwnedRow {
  readonly id: string;
  readonly heading: string | null;
  readonly content: string;
}

/** What this service wrote for a source, in the order of places. */
export function ownedChunks(db: Database, sourceFile: string): readonly OwnedRow[] {
  return prepared<[string], OwnedRow>(
    db,
    `SELECT c.id, CAST(c.heading AS TEXT) AS heading, CAST(c.content AS TEXT) AS content
       FROM chunks c JOIN store_owned o ON o.chunk_id = c.id
       WHERE c.source_file = ? ORDER BY c.chunk_index`,
  ).all(sourceFile);
}

/** The ids that are used by chunks of another program. */
export function foreignIds(db: Database, ids: readonly string[]): ReadonlySet<string> {
  const foreign = prepared<[string], string>(
    db,
    `SELECT c.id FROM json_each(?) j JOIN chunks c ON c.id = j.value
       WHERE NOT EXISTS (SELECT 1 FROM store_owned o WHERE o.chunk_id = c.id)`,
  )
    .pluck()
    .all(JSON.stringify(ids));
  return new Set(foreign);
}

/** The content hash with which a source was indexed; undefined if it is not. */
export function contentHashOf(db: Database, sourceFile: string): string | undefined {
  return prepared<[string], string>(
    db,
    'SELECT content_hash FROM store_sources WHERE source_file = ?',
  )
    .pluck()
    .get(sourceFile);
}

export function forgetSource(db: Database, sourceFile: string): void {
  prepared(db, 'DELETE FROM store_sources WHERE source_file = ?').run(sourceFile);
  rememberSupersession(db, { sourceFile });
}

/** Of sources that are indexed: an older release may have removed one and left its link. */
export function supersessions(db: Database): readonly Supersession[] {
  return prepared<[], Supersession>(
    db,
    `SELECT CAST(l.source_file AS TEXT) AS sourceFile, CAST(l.supersedes AS TEXT) AS supersedes
     FROM store_supersessions l JOIN store_sources s ON s.source_file = l.source_file`,
  ).all();
}

/** Remembers what a source replaces, if it replaces another one. */
export function rememberSupersession(
  db: Database,
  { sourceFile, supersedes }: Pick<SourceDocument, 'sourceFile' | 'supersedes'>,
): void {
  prepared(db, 'DELETE FROM store_supersessions WHERE source_file = ?').run(sourceFile);
  if (supersedes === undefined) return;
  prepared(db, 'INSERT INTO store_supersessions (source_file, supersedes) VALUES (?, ?)').run(
    sourceFile,
    supersedes,
  );
}

export function rememberSource(db: Database, document: SourceDocument): void {
  prepared(
    db,
    `INSERT INTO store_sources (source_file, source_type, content_hash, chunk_count)
     VALUES (@sourceFile, @sourceType, @contentHash, @count)
     ON CONFLICT (source_file) DO UPDATE SET source_type = excluded.source_type,
       content_hash = excluded.content_hash, chunk_count = excluded.chunk_count`,
  ).run({
    sourceFile: document.sourceFile,
    sourceType: document.sourceType,
    contentHash: document.contentHash,
    count: document.chunks.length,
  });
  rememberSupersession(db, document);
}

/** Marks a chunk as one of the service. Damage may have left the mark of a chunk that is gone. */
export const CLAIM = 'INSERT OR REPLACE INTO store_owned (chunk_id) VALUES (?)';
