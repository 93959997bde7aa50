import { join } from 'node:path';
import Database from 'better-sqlite3';
import { toFtsMatch } from '../../../src/adapters/sqlite/keyword/fts-match.js';
import type { Expression } from '../../../src/domain/query/expression.js';
import type { ChunkFilter } from '../../../src/ports/driven/chunk-filter.js';
import type { ProjectStore } from '../../../src/ports/driven/project-stores.js';
import { median } from '../../quality/statistics.js';
import { APP_DIR } from './large-project.js';
import { frequentWords, QUERY_CLASSES } from './query-classes.js';

/** Milliseconds of one class of queries, one entry per query, in the same order in each list. */
export interface ClassTimes {
  readonly name: string;
  /** The bare FTS5 statement that the product's is measured against. */
  readonly bare: readonly number[];
  readonly search: readonly number[];
  /** The same with a filter to half of the source types. */
  readonly filtered: readonly number[];
  /** Scoring the first 50 results of the search again. */
  readonly scored: readonly number[];
}

export interface Comparison {
  readonly project: string;
  readonly store: ProjectStore;
  readonly texts: readonly string[];
  readonly queries: number;
}

/** Runs the same queries in turn through the bare statement and the product's keyword index. */
export async function compareSearches(comparison: Comparison): Promise<readonly ClassTimes[]> {
  const { project, store, texts, queries } = comparison;
  const db = new Database(join(project, APP_DIR, 'knowledge.db'), { readonly: true });
  const bare = db.prepare(BARE);
  const words = frequentWords(texts, 1);
  const all: ClassTimes[] = [];
  for (const [name, make] of Object.entries(QUERY_CLASSES)) {
    const times = { name, bare: [], search: [], filtered: [], scored: [] } as MutableTimes;
    for (let query = 0; query < queries + WARM_UP; query += 1) {
      const expression = make(words);
      if (expression === undefined) continue;
      const runs = await measured(expression, store, () => bare.all(toFtsMatch(expression), LIMIT));
      if (query < WARM_UP) continue;
      for (const key of KEYS) times[key].push(runs[key]);
    }
    all.push(times);
  }
  db.close();
  return all;
}

/** The fastest statement that returns the same rows (bench/README.md, "Search"). */
const BARE = `SELECT c.*, t.s FROM (SELECT rowid r, bm25(chunks_fts) s FROM chunks_fts
  WHERE chunks_fts MATCH ? ORDER BY s LIMIT ?) t JOIN chunks c ON c.rowid = t.r ORDER BY t.s`;

const LIMIT = 50;
const WARM_UP = 3;
const ALL: ChunkFilter = { sourceTypes: 'all' };
const HALF: ChunkFilter = { sourceTypes: ['file', 'reflection', 'manual'] };
const KEYS = ['bare', 'search', 'filtered', 'scored'] as const;

type MutableTimes = { readonly name: string } & Record<(typeof KEYS)[number], number[]>;

async function measured(expression: Expression, { keywords }: ProjectStore, bare: () => unknown) {
  const found = await keywords.search(expression, ALL, LIMIT);
  const ids = found.map(({ chunk }) => chunk.id);
  return {
    bare: await timed(async () => bare()),
    search: await timed(() => keywords.search(expression, ALL, LIMIT)),
    filtered: await timed(() => keywords.search(expression, HALF, LIMIT)),
    scored: await timed(() => keywords.score(expression, ids)),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** A table in markdown: medians, 99th percentiles, and medians of the ratios within each query. */
export function searchTable(classes: readonly ClassTimes[]): string {
  const rows = classes.map(({ name, bare, search, filtered, scored }) => [
    name,
    ...[bare, search, filtered, scored].map((times) => `${ms(median(times))} / ${ms(p99(times))}`),
    ratio(search, bare),
    ratio(filtered, search),
    ratio(scored, search),
  ]);
  return [HEAD, HEAD.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

const HEAD = [
  'class',
  'bare, p50 / p99 ms',
  'search',
  'with type filter',
  'scoring 50',
  'search to bare',
  'filter to search',
  'scoring to search',
];

function ratio(times: readonly number[], others: readonly number[]): string {
  return median(times.map((time, index) => time / (others[index] ?? Number.NaN))).toFixed(2);
}

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

function ms(time: number): string {
  return time.toFixed(2);
}
