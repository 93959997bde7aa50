import type { ProjectStore } from '../../../src/ports/driven/project-stores.js';
import { cpuMs } from '../server-cpu.js';
import { QUERIES, type StoreSearch } from './searches.js';

export interface Engine {
  readonly name: string;
  readonly store: ProjectStore;
  /** The process of its server; 0 for none. */
  readonly server: number;
}

/** CPU milliseconds of one search, of each engine. */
export interface Comparison {
  readonly name: string;
  readonly isAnyWord: boolean;
  readonly cpu: readonly [number, number];
}

const BLOCK = 6;
/** The ticks of the server's processes are 10 ms long, so that one round of fast queries would show few of them. */
const ROUNDS = 4;

/** Each kind of search in blocks of some queries, one engine after the other. */
export async function compareInTurn(
  engines: readonly [Engine, Engine],
  searches: readonly StoreSearch[],
): Promise<readonly Comparison[]> {
  const compared: Comparison[] = [];
  for (const search of searches) {
    for (const { store } of engines) for (let i = 0; i < BLOCK; i += 1) await search.run(store, i);
    const sum: [number, number] = [0, 0];
    for (let i = 0; i < ROUNDS * QUERIES; i += BLOCK) {
      sum[0] += await cpuOfBlock(engines[0], search, i);
      sum[1] += await cpuOfBlock(engines[1], search, i);
    }
    const cpu = [sum[0] / (ROUNDS * QUERIES), sum[1] / (ROUNDS * QUERIES)] as const;
    compared.push({ name: search.name, isAnyWord: search.isAnyWord, cpu });
  }
  return compared;
}

/** With one line for all searches for any word together. */
export function comparisonTable(compared: readonly Comparison[]): string {
  const total = (engine: 0 | 1) =>
    compared.reduce((sum, { isAnyWord, cpu }) => sum + (isAnyWord ? cpu[engine] : 0), 0);
  const rows = [...compared, { name: 'any word, all of them', cpu: [total(0), total(1)] as const }];
  return rows
    .map(
      ({ name, cpu: [first, second] }) =>
        `${name}: ${first.toFixed(1)} and ${second.toFixed(1)} CPU ms, ratio ${(second / first).toFixed(2)}`,
    )
    .join('\n');
}

/** Searches per second for any of 8 words with 1, 2 and 4 at once, one engine after the other. */
export async function rates(engines: readonly Engine[], searches: readonly StoreSearch[]) {
  const measured = engines.map(({ name }) => ({ name, perSecond: [] as number[] }));
  const search = searches.find(({ name }) => name === 'any of 8 words') as StoreSearch;
  for (const atOnce of [1, 2, 4])
    for (const [i, engine] of engines.entries())
      measured[i]?.perSecond.push(await rateOf(engine, search, atOnce));
  return measured;
}

async function rateOf({ store }: Engine, search: StoreSearch, atOnce: number): Promise<number> {
  const count = ROUNDS * QUERIES;
  const one = async (first: number) => {
    for (let i = first; i < count; i += atOnce) await search.run(store, i);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, (_, first) => one(first)));
  return Math.round((1000 * count) / (performance.now() - start));
}

async function cpuOfBlock({ store, server }: Engine, search: StoreSearch, first: number) {
  const before = cpuMs(server);
  for (let i = first; i < first + BLOCK; i += 1) await search.run(store, i);
  return cpuMs(server) - before;
}
