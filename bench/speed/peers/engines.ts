import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { openDatabase } from '../../../src/adapters/sqlite/database/driver.js';
import type { Text } from '../search/large-project.js';

/** A query for an engine: words of which all, or any, must match. */
export interface WordQuery {
  readonly words: readonly string[];
  readonly every: boolean;
  readonly kind: 'words' | 'phrase' | 'prefix';
}

/** Searches with an engine. Returns undefined for a kind of search that the engine does not offer. */
type SearchPeer = (query: WordQuery) => unknown;

/** Builds an engine over texts. Uses its English stemmer, if it has one, and keeps stop words. */
type Peer = (texts: readonly Text[]) => Promise<SearchPeer>;

const LIMIT = 50;

export const PEERS: Readonly<Record<string, Peer>> = {
  minisearch: async (texts) => {
    const processTerm = (term: string) => stemmer(term.toLowerCase());
    const engine = new MiniSearch({ fields: ['heading', 'content'], processTerm });
    engine.addAll(texts.map((text, id) => ({ id, ...text })));
    return ({ words, every, kind }) => {
      if (kind === 'phrase') return undefined;
      const options = { combineWith: every ? 'AND' : 'OR', prefix: kind === 'prefix' } as const;
      return engine.search(words.join(' '), options).slice(0, LIMIT);
    };
  },
  /** The tables and the statement of qmd (`src/store.ts` of tobi/qmd) in a temporary file, without its collections. */
  qmd: async (texts) => {
    const db = openDatabase('');
    db.exec(`
      CREATE TABLE content (hash TEXT PRIMARY KEY, doc TEXT NOT NULL, created_at TEXT NOT NULL);
      CREATE TABLE documents (id INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL,
        path TEXT NOT NULL, title TEXT NOT NULL, hash TEXT NOT NULL, active INTEGER NOT NULL DEFAULT 1,
        UNIQUE (collection, path));
      CREATE VIRTUAL TABLE documents_fts USING fts5(filepath, title, body, tokenize='porter unicode61')`);
    const content = db.prepare("INSERT INTO content VALUES (?, ?, '2026-01-01')");
    const document = db.prepare(
      "INSERT INTO documents (collection, path, title, hash) VALUES ('bench', ?, ?, ?)",
    );
    const index = db.prepare(
      'INSERT INTO documents_fts (rowid, filepath, title, body) VALUES (?, ?, ?, ?)',
    );
    db.transaction(() => {
      for (const [id, text] of texts.entries()) {
        const [path, title] = [`doc-${id}.md`, text.heading ?? ''];
        content.run(String(id), text.content);
        const { lastInsertRowid } = document.run(path, title, String(id));
        index.run(lastInsertRowid, path, title, text.content);
      }
    })();
    const find = db.prepare(`
      WITH matches AS (
        SELECT rowid, bm25(documents_fts, 1.5, 4.0, 1.0) AS score FROM documents_fts
        WHERE documents_fts MATCH ? ORDER BY score ASC LIMIT ?)
      SELECT d.collection || '/' || d.path AS file, d.title, content.doc AS body, d.hash, matches.score
      FROM matches JOIN documents d ON d.id = matches.rowid JOIN content ON content.hash = d.hash
      WHERE d.active = 1 ORDER BY matches.score ASC LIMIT ?`);
    return ({ words, every, kind }) => {
      const quoted = words.map((word) => `"${word}"`);
      const ends = { words: every ? quoted.join(' AND ') : quoted.join(' OR ') };
      const match =
        kind === 'phrase'
          ? `"${words.join(' ')}"`
          : kind === 'prefix'
            ? `${words[0]}*`
            : ends.words;
      return find.all(match, LIMIT, LIMIT);
    };
  },
};
