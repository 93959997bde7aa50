import type { Statement } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/adapters/sqlite/database/driver.js';
import { findScoredChunks } from '../../../src/adapters/sqlite/keyword/sqlite-keyword-index.js';
import { createdInMemory } from '../../../src/adapters/sqlite/schema/own-schema.js';
import { expressionOf } from '../../contract/harness/steps.js';

/** Reading a chunk takes longer than ranking it. */
describe('A keyword search in SQLite', () => {
  let db: Database;
  /** How many rows with the text of a chunk were read. */
  let texts = 0;

  beforeEach(() => {
    texts = 0;
    db = createdInMemory();
    const insert = db.prepare(
      `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content, created_at, updated_at)
       VALUES (?, ?, ?, '/', 0, ?, '', '')`,
    );
    for (let i = 0; i < CHUNKS; i += 1) {
      const isOdd = i % 2 === 1;
      const content = `copper ${'walnut '.repeat(i)}`;
      insert.run(`${i}`, isOdd ? 'reflection' : 'file', isOdd ? 'odd' : 'even', content);
    }
  });

  afterEach(() => db.close());

  it.each([
    ['copper', { sourceTypes: 'all' }],
    ['copper', { sourceTypes: ['reflection'] }],
    ['copper', { sourceTypes: 'all', excludedSources: ['even'] }],
    ['copper OR walnut OR basalt', { sourceTypes: 'all' }],
    ['copper OR 用户', { sourceTypes: 'all' }],
  ] as const)('for %s in %j reads only the chunks that it returns', (query, filter) => {
    const expression = expressionOf(query);
    expect(findScoredChunks(counted(), { expression, filter, limit: 10 })).toHaveLength(10);
    expect(texts).toBe(10);
  });

  it('reads all that are as relevant as the last, of which it returns the most important', () => {
    db.exec("UPDATE chunks SET content = 'copper', importance = rowid / 100.0 WHERE rowid <= 20");
    const request = { expression: expressionOf('copper'), filter: ALL, limit: 10 };
    const ids = findScoredChunks(counted(), request).map(({ chunk }) => chunk.id);
    expect(ids).toEqual(Array.from({ length: 10 }, (_, i) => `${19 - i}`));
    expect(texts).toBe(20);
  });

  /** The database, which counts the texts that are read. */
  function counted(): Database {
    return new Proxy(db, {
      get(target, name) {
        if (name === 'prepare') return (sql: string) => countedStatement(target.prepare(sql));
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  function countedStatement(statement: Statement<unknown[], unknown>): typeof statement {
    const isOfTexts =
      statement.reader && statement.columns().some(({ name }) => name === 'content');
    if (!isOfTexts) return statement;
    const all = statement.all.bind(statement);
    statement.all = (...parameters) => {
      const rows = all(...parameters);
      texts += rows.length;
      return rows;
    };
    return statement;
  }
});

const CHUNKS = 100;
const ALL = { sourceTypes: 'all' } as const;
