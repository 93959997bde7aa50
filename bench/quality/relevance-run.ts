import type { EmbeddingModel } from '../../src/ports/embedder.js';
import { fillProject } from './bench-project.js';
import type { Collection, CollectionQuery } from './collection.js';
import { measure } from './measure.js';
import { MODES } from './modes.js';
import { loadRealEmbedder, MODEL } from './real-embedder.js';
import { RecordedEmbedder } from './recorded-embedder.js';
import { startService } from './service.js';
import { generator, mean } from './statistics.js';
import { aligned, decimals } from './text-report.js';

/** How well the best result's relevance separates questions that a collection can answer from those it cannot. */
interface RelevanceReport {
  readonly set: string;
  /** The best result's relevance for each query; 0 without results. */
  readonly best: Readonly<Record<Origin, readonly number[]>>;
  /** nDCG@10 of the collection's own questions. */
  readonly ndcg10: number;
}

/** Where a question comes from: the collection itself, another collection, or a generator of random words. */
type Origin = 'own' | 'unrelated' | 'nonsense';

/** Sets of the same project, whose questions are related to each other. */
const ONE_PROJECT = /^(aiom-|lessons-aiom)/;
const QUESTIONS_PER_SET = 100;
const MODE = MODES['blend+union'];

/** @param model `real` also measures nonsense, for which there are no recorded vectors */
export async function runRelevance(
  collections: readonly Collection[],
  model: 'recorded' | 'real',
): Promise<readonly RelevanceReport[]> {
  const sets = collections.filter(({ queries }) => queries.every(({ vector }) => vector));
  const nonsense = model === 'real' ? await embedded(nonsenseQueries()) : [];
  const queries = [...sets.flatMap((set) => set.queries), ...nonsense];
  const embedder = new RecordedEmbedder(MODEL, queries);
  const reports: RelevanceReport[] = [];
  for (const set of sets) {
    const unrelated = sets.filter((other) => !isRelated(set, other)).flatMap(sampleOf);
    const asked = { own: set.queries, unrelated, nonsense };
    reports.push(await measureSet(set, embedder, asked));
  }
  return reports;
}

/**
 * Area under the ROC curve: how often an own question has a higher relevance than an unrelated one. Ties count half.
 */
function areaUnderCurve(own: readonly number[], others: readonly number[]): number {
  const wins = own.map((value) =>
    mean(others.map((other) => (value > other ? 1 : value === other ? 0.5 : 0))),
  );
  return mean(wins);
}

async function measureSet(
  set: Collection,
  embedder: EmbeddingModel,
  asked: Readonly<Record<Origin, readonly CollectionQuery[]>>,
): Promise<RelevanceReport> {
  const best = await bestRelevances(set, embedder, asked);
  return { set: set.name, best, ndcg10: await ndcgOf(set, embedder) };
}

async function bestRelevances(
  set: Collection,
  embedder: EmbeddingModel,
  asked: Readonly<Record<Origin, readonly CollectionQuery[]>>,
): Promise<RelevanceReport['best']> {
  const project = await fillProject(set, {});
  const { store, stop } = startService(MODE.variant, embedder);
  const bestOf = async ({ text }: CollectionQuery) => {
    const { results } = await store.find(project.path, text, { all: true });
    return Math.max(0, ...results.map(({ relevance = 0 }) => relevance));
  };
  const bestOfAll = async (queries: readonly CollectionQuery[]) => {
    const best: number[] = [];
    for (const query of queries) best.push(await bestOf(query));
    return best;
  };
  try {
    return {
      own: await bestOfAll(asked.own),
      unrelated: await bestOfAll(asked.unrelated),
      nonsense: await bestOfAll(asked.nonsense),
    };
  } finally {
    await stop();
    project.remove();
  }
}

async function ndcgOf(set: Collection, embedder: EmbeddingModel): Promise<number> {
  const project = await fillProject(set, {});
  try {
    const measured = await measure(set, project, { mode: MODE, embedder, model: 'recorded' });
    return mean(measured.flatMap(({ metrics }) => metrics?.ndcg10 ?? []));
  } finally {
    project.remove();
  }
}

function isRelated(a: Collection, b: Collection): boolean {
  return a.name === b.name || (ONE_PROJECT.test(a.name) && ONE_PROJECT.test(b.name));
}

/** A sample of the queries, evenly spaced. */
function sampleOf({ queries }: Collection): readonly CollectionQuery[] {
  const step = Math.max(1, Math.floor(queries.length / QUESTIONS_PER_SET));
  return queries.filter((_, index) => index % step === 0);
}

async function embedded(texts: readonly string[]): Promise<readonly CollectionQuery[]> {
  const embedder = await loadRealEmbedder();
  const none: ReadonlySet<string> = new Set();
  const queries: CollectionQuery[] = [];
  for (const text of texts) {
    const vector = await embedder.embed(text);
    queries.push({ id: text, text, relevant: none, excluded: none, vector });
  }
  await embedder.close();
  return queries;
}

/**
 * Queries of one to five nonsense words, always the same: half from random letters, half from pronounceable syllables.
 */
function nonsenseQueries(): readonly string[] {
  const random = generator(7);
  const pick = (items: string | readonly string[]) => items[Math.floor(random() * items.length)];
  const word = (length: number, parts: string | readonly string[]) =>
    Array.from({ length }, () => pick(parts)).join('');
  return Array.from({ length: 200 }, (_, index) =>
    Array.from({ length: 1 + (index % 5) }, () =>
      index < 100 ? word(5 + Math.floor(random() * 5), LETTERS) : word(3, SYLLABLES),
    ).join(' '),
  );
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SYLLABLES = 'zor bli flu gra mip quo xen wib dro splu nak velt yop jinz kra'.split(' ');

/** A question counts as answered above this relevance. Below, the service says that nothing seems relevant. */
const ANSWERED = 0.5;

export function relevanceTable(reports: readonly RelevanceReport[]): string {
  const pooled = (origin: Origin) => reports.flatMap(({ best }) => best[origin]);
  const all = { own: pooled('own'), unrelated: pooled('unrelated'), nonsense: pooled('nonsense') };
  const rows = reports.map(({ set, best, ndcg10 }) => [set, ...cellsOf(best), decimals(ndcg10)]);
  return `Relevance: which questions are answered\n${aligned([HEAD, ...rows, ['all', ...cellsOf(all)]])}`;
}

const HEAD = ['set', 'AUC', 'own', 'unrelated', 'nonsense', 'nDCG@10'];

function cellsOf({ own, unrelated, nonsense }: RelevanceReport['best']): readonly string[] {
  return [
    decimals(areaUnderCurve(own, unrelated)),
    ...[own, unrelated, nonsense].map(shareAnswered),
  ];
}

function shareAnswered(best: readonly number[]): string {
  if (best.length === 0) return '';
  return decimals(best.filter((relevance) => relevance >= ANSWERED).length / best.length);
}
