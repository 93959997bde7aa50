import { expect, test } from 'vitest';
import { PrometheusMetrics } from '../../../src/adapters/metrics/prometheus-metrics.js';

test('counts by fixed labels, in the format of Prometheus', async () => {
  const metrics = new PrometheusMetrics();
  metrics.served({ method: 'GET', route: '/ready', status: 200, seconds: 0.02 });
  metrics.searched({ mode: 'bm25', seconds: 0.003, candidates: 7, results: 2 });
  metrics.retried('vectors');
  metrics.embeddingWaits('begins');
  metrics.embeddingWaits('begins');
  metrics.embeddingWaits('ends');
  metrics.modelCalled({ task: 'questions', outcome: 'throttled', seconds: 1 });
  metrics.embedded({ kind: 'batch', texts: 8, seconds: 2 });
  metrics.measure({ name: 'chunks', help: 'Chunks.', read: () => 3 });
  const text = await metrics.read();
  for (const line of [
    'knowledge_http_request_seconds_count{method="GET",route="/ready",status="200"} 1',
    'knowledge_search_seconds_bucket{le="0.005",mode="bm25"} 1',
    'knowledge_search_candidates_sum{mode="bm25"} 7',
    'knowledge_search_results_sum{mode="bm25"} 2',
    'knowledge_retries_total{work="vectors"} 1',
    'knowledge_embeddings_waiting 1',
    'knowledge_model_call_seconds_count{task="questions",outcome="throttled"} 1',
    'knowledge_embedded_texts_total{kind="batch"} 8',
    'knowledge_chunks 3',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds \d/m);
});

test('measures again each time', async () => {
  const metrics = new PrometheusMetrics();
  let chunks = 3;
  metrics.measure({ name: 'chunks', help: 'Chunks.', read: async () => chunks });
  await metrics.read();
  chunks = 4;
  expect((await metrics.read()).match(/^knowledge_chunks \d+$/gm)).toEqual(['knowledge_chunks 4']);
});

test('keeps the counts of two services apart', async () => {
  const [one, other] = [new PrometheusMetrics(), new PrometheusMetrics()];
  one.searched({ mode: 'hybrid', seconds: 1, candidates: 1, results: 1 });
  expect(await other.read()).not.toContain('mode="hybrid"');
});
