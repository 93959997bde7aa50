import { embeddingOf } from '../../test/support/embedding-endpoint.js';
import { type ModelEndpoint, startModelEndpoint } from '../../test/support/model-endpoint.js';
import { json } from '../../test/support/model-endpoint-replies.js';
import { API, okBody, startClient } from '../../test/support/running-service-calls.js';
import { fillProject } from './bench-project.js';
import type { Collection, CollectionQuery } from './collection.js';
import { judge } from './metrics.js';
import { MODEL } from './real-embedder.js';
import { RecordedEmbedder } from './recorded-embedder.js';
import { generator, mean } from './statistics.js';
import { aligned, decimals } from './text-report.js';

/** Rerankers that need no model, and none for comparison. */
const RERANKERS = ['none', 'oracle', 'noise', 'upside down'] as const;
type RerankerName = (typeof RERANKERS)[number];

/** nDCG@10 of one set with each reranker. */
export interface RerankingReport {
  readonly set: string;
  readonly ndcg10: Readonly<Record<RerankerName, number>>;
}

/**
 * Searches over REST in `blend` with `union`: the service is a process of its own, which gets query vectors and the scores of the
 * reranker from an endpoint that is scripted here.
 */
export async function runReranking(collection: Collection): Promise<RerankingReport> {
  const entries: (readonly [RerankerName, number])[] = [];
  for (const name of RERANKERS) entries.push([name, await measured(collection, name)]);
  const ndcg10 = Object.fromEntries(entries) as RerankingReport['ndcg10'];
  return { set: collection.name, ndcg10 };
}

type Scores = (
  documents: readonly string[],
  query: CollectionQuery | undefined,
) => readonly number[];

/** By the text that is sent of each document. */
function scoresOf(name: RerankerName, { documents }: Collection): Scores {
  const random = generator(1);
  const ids = new Map(
    documents.map(({ id, title, text }) => [title === '' ? text : `${title}\n${text}`, id]),
  );
  const scripts: Readonly<Record<RerankerName, Scores>> = {
    none: () => [],
    oracle: (texts, query) =>
      texts.map((text) => Number(query?.relevant.has(ids.get(text) ?? '') ?? false)),
    noise: (texts) => texts.map(() => random()),
    'upside down': (texts) => texts.map((_, place) => place),
  };
  return scripts[name];
}

async function measured(collection: Collection, name: RerankerName): Promise<number> {
  const project = await fillProject(collection, { settings: PATIENT });
  const endpoint = await scriptedEndpoint(collection, scoresOf(name, collection));
  const client = await startClient('hybrid', {
    EMBEDDING_BASE_URL: endpoint.baseUrl,
    EMBEDDING_MODEL: MODEL,
    ...(name !== 'none' && { RERANK_BASE_URL: endpoint.baseUrl, RERANK_MODEL: name }),
  });
  try {
    const ndcgs: number[] = [];
    for (const { text, relevant, excluded } of collection.queries) {
      if (relevant.size === 0) continue;
      const body = { projectPath: project.path, query: text, ...SEARCH };
      const { results } = okBody(await client.service.post(`${API}/search`, body));
      const found = results.map(
        ({ chunk }: { readonly chunk: { readonly id: string } }) => chunk.id,
      );
      const ranked = found.filter((id: string) => !excluded.has(id));
      ndcgs.push(judge(ranked, relevant).ndcg10);
    }
    return mean(ndcgs);
  } finally {
    await client.service.stop();
    await endpoint.close();
    project.remove();
  }
}

/** A busy machine is no reason to rank without vectors. */
const PATIENT = { queryVectorTimeoutMs: 10_000 };

const SEARCH = { fusion: 'blend', candidates: 'union', maxResults: 50, maxTokens: 1_000_000 };

function scriptedEndpoint({ queries }: Collection, scores: Scores): Promise<ModelEndpoint> {
  const embedder = new RecordedEmbedder(MODEL, queries);
  const byText = new Map(queries.map((query) => [query.text, query]));
  return startModelEndpoint(async (response, request) => {
    const { input, query, documents } = request.body;
    if (request.path.endsWith('/rerank')) {
      const given = scores(documents as readonly string[], byText.get(String(query)));
      const results = given.map((relevance_score, index) => ({ index, relevance_score }));
      return json({ results })(response, request);
    }
    // The service probes the endpoint with a text of its own.
    const recorded = (input as readonly string[]).map((text) =>
      embedder.embed(text).then(Array.from, () => embeddingOf(text)),
    );
    const data = (await Promise.all(recorded)).map((embedding, index) => ({ index, embedding }));
    return json({ data })(response, request);
  });
}

export function rerankingTable(reports: readonly RerankingReport[]): string {
  const rows = reports.map(({ set, ndcg10 }) => [
    set,
    ...RERANKERS.map((name) => decimals(ndcg10[name])),
  ]);
  const means = RERANKERS.map((name) => decimals(mean(reports.map(({ ndcg10 }) => ndcg10[name]))));
  const title = 'nDCG@10 over REST, blend with union, by scripted reranker';
  return `${title}\n${aligned([['set', ...RERANKERS], ...rows, ['mean', ...means]])}`;
}
