import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/adapters/sqlite/database/driver.js';

/** Facts to compare a database with. */
interface VerifyOptions {
  /** The project directory, which must contain the files of all sources that the service indexed. */
  readonly project?: string;
  /** A stats response of the service, taken while nothing was written. */
  readonly stats?: {
    readonly totalChunks: number;
    readonly uniqueSources: number;
    readonly sourceTypeBreakdown: Readonly<Record<string, number>>;
  };
}

/** Describes how a database violates the invariants I1 to I4 of RELIABILITY.md; empty if it is sound. */
export function problemsIn(path: string, options: VerifyOptions = {}): readonly string[] {
  try {
    const db = openDatabase(path, { timeout: 15_000 });
    try {
      return CHECKS.flatMap((check) => check(db, options));
    } finally {
      db.close();
    }
  } catch (error) {
    return [`I2 it cannot be read: ${String(error)}`];
  }
}

type Check = (db: Database, options: VerifyOptions) => readonly string[];

/** I1: the chunks of a source come from a single read of a single file. */
const sourcesAreWhole: Check = (db) => {
  const stray = list(
    db,
    `SELECT c.id FROM chunks c JOIN store_sources s ON s.source_file = c.source_file
      WHERE s.content_hash <> '' AND (c.id <> c.source_file || '#' || c.chunk_index
        OR c.chunk_index NOT BETWEEN 0 AND s.chunk_count - 1)`,
  );
  const repeated = list(
    db,
    `SELECT c.source_file FROM chunks c JOIN store_sources s ON s.source_file = c.source_file
      WHERE s.content_hash <> '' GROUP BY c.source_file HAVING count(DISTINCT c.chunk_index) <> count(*)`,
  );
  return [
    ...stray.map((id) => `I1 the chunk ${id} belongs to no place in its source`),
    ...repeated.map((file) => `I1 ${file} has two chunks in one place`),
  ];
};

const sourcesExist: Check = (db, { project }) =>
  project === undefined
    ? []
    : list(db, 'SELECT source_file FROM store_sources')
        .filter((file) => !existsSync(join(project, String(file))))
        .map((file) => `I1 ${file} is indexed and does not exist`);

/** I2: SQLite's own checks, including those of the full-text indexes. */
const pagesAreSound: Check = (db) => {
  const integrity = list(db, 'SELECT integrity_check FROM pragma_integrity_check');
  const foreignKeys = db.pragma('foreign_key_check') as readonly unknown[];
  return [
    ...integrity.filter((line) => line !== 'ok').map((line) => `I2 integrity_check: ${line}`),
    ...foreignKeys.map((row) => `I2 foreign_key_check: ${JSON.stringify(row)}`),
    ...failureOf('I2 the full-text index differs from the chunks', () =>
      db.exec("INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('integrity-check', 1)"),
    ),
  ];
};

/** I2: a search for the rarest word of a chunk finds the chunk. Tries at most 500 chunks. */
const chunksAreFound: Check = (db) => {
  const chunks = db
    .prepare<[], { rowid: number; id: string; content: string }>(
      'SELECT rowid, id, content FROM chunks ORDER BY random() LIMIT 500',
    )
    .all();
  const find = db.prepare('SELECT 1 FROM chunks_fts WHERE chunks_fts MATCH ? AND rowid = ?');
  const words = chunks.map(({ content }) => plainWords(content));
  const frequency = new Map<string, number>();
  for (const word of words.flatMap((own) => [...own])) {
    frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return chunks.flatMap(({ rowid, id }, index) => {
    const own = [...(words[index] ?? [])];
    const [rarest] = own.toSorted((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0));
    const isFound = rarest === undefined || find.get(`"${rarest}"`, rowid) !== undefined;
    return isFound ? [] : [`I2 the chunk ${id} is not found by its word ${rarest}`];
  });
};

/**
 * I3: every vector belongs to a chunk. The vectors of the service's own chunks have 384 finite values and a length
 * above 0.
 */
const vectorsAreValid: Check = (db) => {
  const orphans = list(
    db,
    'SELECT chunk_id FROM embeddings WHERE chunk_id NOT IN (SELECT id FROM chunks)',
  );
  const vectors = db
    .prepare<[], { id: string; vector: Buffer }>(
      `SELECT chunk_id AS id, embedding AS vector FROM embeddings
          WHERE chunk_id IN (SELECT id FROM chunks JOIN store_sources USING (source_file))
        UNION ALL SELECT id, hype_embeddings FROM chunks
          WHERE hype_embeddings IS NOT NULL AND source_file IN (SELECT source_file FROM store_sources)`,
    )
    .all();
  return [
    ...orphans.map((id) => `I3 there is a vector of ${id}, and no such chunk`),
    ...vectors
      .filter(({ vector }) => !isVector(vector))
      .map(({ id }) => `I3 the vector of ${id} is not one`),
  ];
};

/** I4: the service reports the same counts as the tables. */
const statsAreRight: Check = (db, { stats }) => {
  if (stats === undefined) return [];
  const counted = {
    totalChunks: list(db, 'SELECT count(*) FROM chunks')[0],
    uniqueSources: list(db, 'SELECT count(DISTINCT source_file) FROM chunks')[0],
  };
  const sum = Object.values(stats.sourceTypeBreakdown).reduce((a, b) => a + b, 0);
  const isRight =
    stats.totalChunks === counted.totalChunks &&
    stats.uniqueSources === counted.uniqueSources &&
    sum === counted.totalChunks;
  return isRight
    ? []
    : [`I4 stats say ${JSON.stringify(stats)}, the tables ${JSON.stringify(counted)}`];
};

const CHECKS: readonly Check[] = [
  pagesAreSound,
  sourcesAreWhole,
  sourcesExist,
  chunksAreFound,
  vectorsAreValid,
  statsAreRight,
];

function list(db: Database, sql: string): readonly unknown[] {
  return db.prepare(sql).pluck().all();
}

function failureOf(what: string, work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return [`${what}: ${String(error)}`];
  }
}

/** The words of ASCII letters and digits only, which SQLite's tokenizer cannot read differently. */
function plainWords(text: string | null): ReadonlySet<string> {
  const words = (text ?? '').toLowerCase().match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  return new Set(words.filter((word) => /^[a-z0-9]+$/.test(word)));
}

function isVector(blob: Buffer): boolean {
  if (blob.byteLength !== 384 * 4) return false;
  const values = Array.from({ length: 384 }, (_, index) => blob.readFloatLE(index * 4));
  return values.every(Number.isFinite) && Math.hypot(...values) > 0;
}
