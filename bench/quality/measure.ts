import type { RetrievalMode } from '../../src/domain/ranking/search.js';
import type { RunningKnowledgeStore } from '../../src/index.js';
import type { EmbeddingModel } from '../../src/ports/embedder.js';
import type { BenchProject } from './bench-project.js';
import type { Collection, CollectionQuery } from './collection.js';
import { knowsAWord } from './known-words.js';
import { judge, type Metrics } from './metrics.js';
import type { Mode } from './modes.js';
import { startService, untilEmbedded } from './service.js';

/** The result of one query in one mode. */
export interface QueryResult {
  readonly id: string;
  /** Documents, best first, without those to exclude for the query. */
  readonly ranked: readonly string[];
  /** Absent for a query without judgments. */
  readonly metrics?: Metrics;
  readonly retrievalMode?: RetrievalMode;
  readonly milliseconds: number;
  /** Error message, if the search failed. */
  readonly error?: string;
  /** If nothing was found: whether the index contains a word of the query. */
  readonly empty?: 'known word' | 'no known word';
}

/** How queries are run. With `recorded` vectors, a vector that was not recorded stays missing. */
export interface Measurement {
  readonly mode: Mode;
  readonly embedder: EmbeddingModel | undefined;
  readonly model: 'recorded' | 'real';
}

/** Enough results for R@50, and a budget that excludes none. */
const LIMITS = { maxResults: 50, maxTokens: 1_000_000 };

/** Runs every query of a collection in one mode, one after the other, through the service core. */
export async function measure(
  collection: Collection,
  project: BenchProject,
  { mode, embedder, model }: Measurement,
): Promise<readonly QueryResult[]> {
  const service = startService(mode.variant, embedder, project.openStores?.());
  const results: QueryResult[] = [];
  try {
    await service.store.initialize(project.path);
    if (embedder !== undefined && model === 'real') await untilEmbedded(service, project.path);
    for (const query of collection.queries)
      results.push(await ask(service, project, { query, mode }));
  } finally {
    await service.stop();
  }
  return results.map((result, index) =>
    result.empty === undefined || project.openStores !== undefined
      ? result
      : { ...result, empty: emptiness(project, collection, index) },
  );
}

async function ask(
  { store }: RunningKnowledgeStore,
  project: BenchProject,
  { query, mode }: { readonly query: CollectionQuery; readonly mode: Mode },
): Promise<QueryResult> {
  const start = performance.now();
  try {
    const options = { ...mode.options, ...LIMITS };
    const answer =
      mode.profile === 'reading'
        ? await store.find(project.path, query.text, { ...options, all: true })
        : await store.search(project.path, query.text, options);
    const milliseconds = performance.now() - start;
    const found = answer.results.map(({ chunk }) => project.documentOf(chunk));
    return {
      ...resultOf(query, rankingOf(query, found)),
      retrievalMode: answer.retrievalMode,
      milliseconds,
      ...(found.length === 0 && { empty: 'no known word' }),
    };
  } catch (error) {
    const milliseconds = performance.now() - start;
    return { ...resultOf(query, []), milliseconds, error: String(error) };
  }
}

/** Whether the index knows a word of a query. Must be called after the service has closed the index. */
function emptiness(project: BenchProject, { queries }: Collection, index: number) {
  return knowsAWord(project.path, queries[index]?.text ?? '') ? 'known word' : 'no known word';
}

/** Ranks documents by their best chunk. */
function rankingOf({ excluded }: CollectionQuery, found: readonly string[]): readonly string[] {
  return [...new Set(found)].filter((id) => !excluded.has(id));
}

function resultOf({ id, relevant }: CollectionQuery, ranked: readonly string[]) {
  return { id, ranked, ...(relevant.size > 0 && { metrics: judge(ranked, relevant) }) };
}
