import type Database from 'better-sqlite3';

/** A chunk by its row, and its BM25 score; higher is better. */
export interface ScoredRow {
  readonly row: number;
  readonly score: number;
}

interface Postings {
  readonly rows: Uint32Array;
  /** How often the term is in each row. */
  readonly counts: Uint16Array;
}

/**
 * A prototype: exact BM25, as FTS5 computes it, over postings in memory. They are read from the FTS5 index, so
 * its tokenizer is that of SQLite. Words only: phrases would need the positions as well, prefixes a sorted list.
 */
export class MemoryPostings {
  readonly #postings = new Map<string, Postings>();
  readonly #lengths: Uint32Array;
  readonly #scores: Float64Array;
  /** How many of the terms of a query each row has. */
  readonly #found: Uint8Array;
  readonly #rows: number;
  readonly #averageLength: number;

  constructor(db: Database.Database) {
    const last = Number(db.prepare('SELECT max(rowid) FROM chunks').pluck().get());
    this.#rows = Number(db.prepare('SELECT count(*) FROM chunks').pluck().get());
    this.#lengths = new Uint32Array(last + 1);
    this.#scores = new Float64Array(last + 1);
    this.#found = new Uint8Array(last + 1);
    db.exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'chunks_fts', 'instance')");
    const instances = db
      .prepare<[], [string, number, number]>(
        'SELECT term, doc, count(*) FROM temp.terms GROUP BY term, doc',
      )
      .raw();
    let total = 0;
    let open: { term: string; rows: number[]; counts: number[] } | undefined;
    for (const [term, row, count] of instances.iterate()) {
      if (open?.term !== term) {
        this.#keep(open);
        open = { term, rows: [], counts: [] };
      }
      open.rows.push(row);
      open.counts.push(count);
      this.#lengths[row] = (this.#lengths[row] ?? 0) + count;
      total += count;
    }
    this.#keep(open);
    this.#averageLength = total / this.#rows;
  }

  get bytes(): number {
    const lists = [...this.#postings.values()].reduce(
      (sum, { rows, counts }) => sum + rows.byteLength + counts.byteLength,
      0,
    );
    return lists + this.#lengths.byteLength + this.#scores.byteLength + this.#found.byteLength;
  }

  /** The best rows with all of the terms, or any of them. */
  search(terms: readonly string[], every: boolean, limit: number): readonly ScoredRow[] {
    const lists = terms.map((term) => this.#postings.get(term) ?? NO_POSTINGS);
    const touched: number[] = [];
    for (const list of lists) this.#add(list, touched);
    const best: ScoredRow[] = [];
    for (const row of touched) {
      const score = this.#scores[row] ?? 0;
      const isMatch = !every || this.#found[row] === lists.length;
      this.#scores[row] = 0;
      this.#found[row] = 0;
      if (isMatch) insert(best, { row, score }, limit);
    }
    return best;
  }

  #add({ rows, counts }: Postings, touched: number[]): void {
    const idf = Math.max(1e-6, Math.log((this.#rows - rows.length + 0.5) / (rows.length + 0.5)));
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number;
      const count = counts[at] as number;
      const length = (this.#lengths[row] as number) / this.#averageLength;
      if (this.#found[row] === 0) touched.push(row);
      (this.#found[row] as number) += 1;
      (this.#scores[row] as number) +=
        (idf * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    }
  }

  #keep(open: { readonly term: string; rows: number[]; counts: number[] } | undefined): void {
    if (open === undefined) return;
    const { term, rows, counts } = open;
    this.#postings.set(term, { rows: Uint32Array.from(rows), counts: Uint16Array.from(counts) });
  }
}

const K1 = 1.2;
const B = 0.75;
const NO_POSTINGS: Postings = { rows: new Uint32Array(), counts: new Uint16Array() };

/** Keeps the best sorted; equal ones by row. */
function insert(best: ScoredRow[], candidate: ScoredRow, limit: number): void {
  const last = best[limit - 1];
  if (last !== undefined && !isBetter(candidate, last)) return;
  if (last !== undefined) best.pop();
  let at = best.length;
  while (at > 0 && isBetter(candidate, best[at - 1] as ScoredRow)) at -= 1;
  best.splice(at, 0, candidate);
}

function isBetter(one: ScoredRow, other: ScoredRow): boolean {
  return one.score > other.score || (one.score === other.score && one.row < other.row);
}
