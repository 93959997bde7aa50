import { join } from 'node:path';
import type { Statement } from 'better-sqlite3';
import { openDatabase } from '../../../src/adapters/sqlite/database/driver.js';
import { toFtsMatch } from '../../../src/domain/query/fts-match.js';
import type { ChunkFilter, KeywordIndex } from '../../../src/ports/keyword-index.js';
import type { ProjectStore } from '../../../src/ports/project-stores.js';
import { inTurn, p50p99, ratio } from '../measuring.js';
import type { Table } from '../part.js';
import { APP_DIR } from './large-project.js';
import { type BenchQuery, frequentWords, QUERY_CLASSES } from './query-classes.js';

/** CPU time of one class of queries in milliseconds: one entry per query, in the same order in each list. */
interface ClassTimes extends Readonly<Record<Way, readonly number[]>> {
  readonly name: string;
  /** Number of queries whose first 20 results are those of the naive statement, in the same order. */
  readonly same: number;
}

/**
 * `naive` joins before ranking, with every word of the query. `bare` is the fastest statement that returns the same
 * rows as `search`. `filtered` filters by half of the types. `scored` scores the results again.
 */
const WAYS = ['naive', 'bare', 'search', 'filtered', 'scored'] as const;

type Way = (typeof WAYS)[number];

export interface Comparison {
  readonly project: string;
  readonly store: ProjectStore;
  readonly texts: readonly string[];
  readonly queries: number;
}

/** Runs the same queries in each way, in turn. */
export async function compareSearches(comparison: Comparison): Promise<readonly ClassTimes[]> {
  const { project, store, texts, queries } = comparison;
  const db = openDatabase(join(project, APP_DIR, 'knowledge.db'), { readonly: true });
  const subject = { keywords: store.keywords, bare: db.prepare(BARE), naive: db.prepare(NAIVE) };
  const words = frequentWords(texts, 1);
  const all: ClassTimes[] = [];
  for (const [name, make] of Object.entries(QUERY_CLASSES)) {
    const made = Array.from({ length: queries }, () => make(words));
    const measured: Measured[] = [];
    for (const query of made) {
      if (query !== undefined) measured.push(await measure(query, subject));
    }
    const times = WAYS.map((way) => [way, measured.map((one) => one[way])] as const);
    const same = measured.filter((one) => one.isSame).length;
    all.push({ ...(Object.fromEntries(times) as Record<Way, number[]>), name, same });
  }
  db.close();
  return all;
}

/** The fastest FTS5 statement that returns the same rows as a search. */
export const BARE = `SELECT c.*, t.s FROM (SELECT rowid r, bm25(chunks_fts) s FROM chunks_fts
  WHERE chunks_fts MATCH ? ORDER BY s LIMIT ?) t JOIN chunks c ON c.rowid = t.r ORDER BY t.s`;

const NAIVE = `SELECT c.*, bm25(chunks_fts) AS score FROM chunks_fts
  JOIN chunks c ON c.rowid = chunks_fts.rowid WHERE chunks_fts MATCH ? ORDER BY score, c.rowid LIMIT ?`;

const LIMIT = 50;
const ALL: ChunkFilter = { sourceTypes: 'all' };
const HALF: ChunkFilter = { sourceTypes: ['file', 'reflection', 'manual'] };

interface Subject {
  readonly keywords: KeywordIndex;
  readonly bare: Statement<unknown[]>;
  readonly naive: Statement<unknown[]>;
}

type Measured = Readonly<Record<Way, number>> & { readonly isSame: boolean };

/** Takes the fastest of some rounds, each with all ways in turn, because others use the machine too. */
async function measure(
  { expression, everyWord = expression }: BenchQuery,
  { keywords, bare, naive }: Subject,
): Promise<Measured> {
  const ids = (await keywords.search({ expression, filter: ALL, limit: LIMIT })).map(
    ({ chunk }) => chunk.id,
  );
  const first = naive.all(toFtsMatch(expression), SAME) as readonly { readonly id: string }[];
  const isSame = first.every(({ id }, place) => id === ids[place]);
  const work: Readonly<Record<Way, () => unknown>> = {
    naive: () => naive.all(toFtsMatch(everyWord), LIMIT),
    bare: () => bare.all(toFtsMatch(expression), LIMIT),
    search: () => keywords.search({ expression, filter: ALL, limit: LIMIT }),
    filtered: () => keywords.search({ expression, filter: HALF, limit: LIMIT }),
    scored: () => {
      const filter = { sourceTypes: 'all', chunkIds: ids } as const;
      return keywords.search({ expression, filter, limit: LIMIT, names: 'counted' });
    },
  };
  return { ...(await inTurn(work)), isSame };
}

const SAME = 20;

/** Medians, 99th percentiles, and medians of the ratios per query. */
export function searchTable(classes: readonly ClassTimes[]): Table {
  const rows = classes.map(({ name, same, ...times }) => [
    name,
    ...WAYS.map((way) => p50p99(times[way])),
    ratio(times.search, times.bare),
    ratio(times.naive, times.search),
    ratio(times.filtered, times.search),
    ratio(times.scored, times.search),
    `${same} of ${times.search.length}`,
  ]);
  return {
    title: 'Searches of the keyword index, ms of processor time, p50 / p99',
    head: HEAD,
    rows,
  };
}

const HEAD = [
  'class',
  'naive join',
  'bare',
  'search',
  'with type filter',
  'scoring 50',
  'search to bare',
  'naive to search',
  'filter to search',
  'scoring to search',
  'same first 20',
];
