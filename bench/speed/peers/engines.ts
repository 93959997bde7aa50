import { create, insertMultiple, search as searchOrama } from '@orama/orama';
import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import wink from 'wink-bm25-text-search';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import type { Text } from '../search/large-project.js';

/** A query as engines take it: words, of which all or any must match. */
export interface WordQuery {
  readonly words: readonly string[];
  readonly every: boolean;
  readonly kind: 'words' | 'phrase' | 'prefix';
}

/** Searches that an engine does not offer return undefined. */
export type SearchPeer = (query: WordQuery) => unknown;

/** Builds an engine over texts, with its stemmer for English where it has one, and stop words kept. */
export type Peer = (texts: readonly Text[]) => Promise<SearchPeer>;

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
  orama: async (texts) => {
    const engine = create({
      schema: { heading: 'string', content: 'string' } as const,
      components: { tokenizer: { stemming: true, language: 'english', stopWords: false } },
    });
    const documents = texts.map(({ heading, content }) => ({ heading: heading ?? '', content }));
    await insertMultiple(engine, documents, 1000);
    return ({ words, every, kind }) => {
      if (kind === 'phrase') return undefined;
      const term = words.join(' ');
      // Without `exact` every word is a prefix.
      const exact = kind !== 'prefix';
      return searchOrama(engine, { term, limit: LIMIT, threshold: every ? 0 : 1, exact });
    };
  },
  wink: async (texts) => {
    const engine = wink();
    engine.defineConfig({ fldWeights: { heading: 1, content: 1 } });
    engine.definePrepTasks([
      (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stemmer),
    ]);
    for (const [id, { heading, content }] of texts.entries()) {
      engine.addDoc({ heading: heading ?? '', content }, id);
    }
    engine.consolidate();
    return ({ words, every, kind }) =>
      kind !== 'words' || (every && words.length > 1)
        ? undefined
        : engine.search(words.join(' '), LIMIT);
  },
  /** The tables and the statement of qmd (`src/store.ts` of tobi/qmd), without its collections, in a temporary file. */
  qmd: async (texts) => {
    const db = new Database('');
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
