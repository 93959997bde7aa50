import Database from 'better-sqlite3';

/** Parameters of FTS5's `bm25()`. */
const [K1, B] = [1.2, 0.75];
const CANDIDATES = 50;

/** A row of `chunks` with its BM25 score; lower is better. */
interface Scored {
  readonly row: number;
  readonly id: string;
  readonly importance: number;
  readonly score: number;
}

/**
 * The tokens of a row: the positions of each token, and the token at each position. Positions continue from column to
 * column, with a gap in between.
 */
interface Tokens {
  readonly places: Map<string, number[]>;
  readonly at: Map<number, string>;
}

const COLUMNS = ['heading', 'content'];
const GAP = 1e6;

/**
 * Computes the specified ranking from the tables of a database. It uses FTS5 only for matching rows and for the tokens
 * of the index, not for `bm25()`, and computes cosines itself.
 */
export class SpecifiedRanking {
  readonly #db: Database.Database;
  readonly #rows = new Map<number, Tokens>();
  readonly #rowsByTerm = new Map<string, Set<number>>();
  readonly #averageLength: number;

  constructor(file: string) {
    this.#db = new Database(file, { readonly: true });
    this.#db.exec(
      "CREATE VIRTUAL TABLE temp.tokens USING fts5vocab('main', 'chunks_fts', 'instance')",
    );
    this.#db.exec(
      "CREATE VIRTUAL TABLE temp.scratch USING fts5(text, tokenize='porter unicode61 remove_diacritics 2')",
    );
    this.#db.exec(
      "CREATE VIRTUAL TABLE temp.scratch_tokens USING fts5vocab('temp', 'scratch', 'instance')",
    );
    let count = 0;
    for (const { term, doc, col, offset } of this.#all('SELECT * FROM temp.tokens')) {
      const { places, at } = this.#tokensOf(doc);
      const place = COLUMNS.indexOf(col) * GAP + offset;
      places.set(term, [...(places.get(term) ?? []), place]);
      at.set(place, term);
      this.#rowsByTerm.set(term, (this.#rowsByTerm.get(term) ?? new Set()).add(doc));
      count += 1;
    }
    this.#averageLength = count / this.#rows.size;
  }

  close(): void {
    this.#db.close();
  }

  /** All rows that match, best first. */
  byWords(match: string): readonly Scored[] {
    const phrases = Array.from(match.matchAll(PHRASE), ([, text = '', prefix]) => ({
      terms: this.#termsOf(text.replaceAll('""', '"')),
      isPrefix: prefix !== undefined,
    })).filter(({ terms }) => terms.length > 0);
    const weights = phrases.map((phrase) => this.#weightOf(phrase));
    const rows = this.#all(
      'SELECT c.rowid AS row, c.id, c.importance FROM chunks_fts JOIN chunks c ON c.rowid = chunks_fts.rowid WHERE chunks_fts MATCH ?',
      match,
    ) as readonly Omit<Scored, 'score'>[];
    return rows
      .map((row) => ({ ...row, score: this.#scoreOf(row.row, phrases, weights) }))
      .toSorted((a, b) => a.score - b.score || b.importance - a.importance || a.row - b.row);
  }

  /** The fused scores of the best 50 rows, by id. */
  merged(match: string, query: Float32Array): ReadonlyMap<string, number> {
    const best = this.byWords(match).slice(0, CANDIDATES);
    const cosines = new Map(best.map(({ id }) => [id, this.#cosineOf(id, query)]));
    const byCosine = best.toSorted((a, b) => (cosines.get(b.id) ?? 0) - (cosines.get(a.id) ?? 0));
    return new Map(best.map((row, i) => [row.id, 1 / (61 + i) + 1 / (61 + byCosine.indexOf(row))]));
  }

  #scoreOf(row: number, phrases: readonly Phrase[], weights: readonly number[]): number {
    const length = this.#tokensOf(row).at.size;
    return -phrases.reduce((sum, phrase, i) => {
      const count = this.#countIn(row, phrase);
      const norm = K1 * (1 - B + (B * length) / this.#averageLength);
      // Adds up in the same order as FTS5, so that equal scores stay equal.
      return sum + (weights[i] ?? 0) * ((count * (K1 + 1)) / (count + norm));
    }, 0);
  }

  /** The inverse document frequency. */
  #weightOf(phrase: Phrase): number {
    const candidates = phrase.isPrefix
      ? this.#rows.keys()
      : (this.#rowsByTerm.get(phrase.terms[0] ?? '') ?? []);
    let found = 0;
    for (const row of candidates) if (this.#countIn(row, phrase) > 0) found += 1;
    return Math.max(1e-6, Math.log((this.#rows.size - found + 0.5) / (found + 0.5)));
  }

  #countIn(row: number, { terms, isPrefix }: Phrase): number {
    const { places, at } = this.#tokensOf(row);
    const [first = '', ...others] = terms;
    if (isPrefix) {
      const found = [...places].filter(([term]) => term.startsWith(first));
      return found.reduce((count, [, where]) => count + where.length, 0);
    }
    const isPhrase = (place: number) => others.every((term, i) => at.get(place + i + 1) === term);
    return (places.get(first) ?? []).filter(isPhrase).length;
  }

  #tokensOf(row: number): Tokens {
    const tokens = this.#rows.get(row) ?? { places: new Map(), at: new Map() };
    this.#rows.set(row, tokens);
    return tokens;
  }

  #termsOf(text: string): readonly string[] {
    this.#db.exec('DELETE FROM temp.scratch');
    this.#db.prepare('INSERT INTO temp.scratch VALUES (?)').run(text);
    const rows = this.#all('SELECT term FROM temp.scratch_tokens ORDER BY offset');
    return rows.map(({ term }) => term);
  }

  #cosineOf(id: string, query: Float32Array): number {
    const [row] = this.#all('SELECT embedding FROM embeddings WHERE chunk_id = ?', id);
    const bytes: Buffer = row.embedding;
    let [dot, own, other] = [0, 0, 0];
    for (const [i, value] of query.entries()) {
      const stored = bytes.readFloatLE(4 * i);
      dot += value * stored;
      own += value * value;
      other += stored * stored;
    }
    return dot / Math.sqrt(own * other);
  }

  // biome-ignore lint/suspicious/noExplicitAny: rows of any statement
  #all(sql: string, ...values: readonly unknown[]): readonly any[] {
    return this.#db.prepare(sql).all(...values);
  }
}

interface Phrase {
  readonly terms: readonly string[];
  readonly isPrefix: boolean;
}

/** Matches a quoted phrase of a MATCH expression, and the star of a prefix, which is always a single word here. */
const PHRASE = /"((?:[^"]|"")*)"( \*)?/g;
