import { expect, test } from 'vitest';
import { okBody, startClient } from '../support/running-service-calls.js';
import { testProjects } from '../support/test-projects.js';

const projects = testProjects();

test('a service counts its work and what is left to do, and names no project', async () => {
  const client = await startClient('hybrid');
  const project = projects.make({ 'docs/fruit.md': '## Apple\nan apple\n## Pear\na pear\n' });
  okBody(await client.rebuild(project));
  okBody(await client.search(project, 'apple pear'));
  const { text } = await client.service.get('/metrics');
  await client.service.stop();
  expect(valuesIn(text)).toMatchObject({
    'knowledge_search_results_count{mode="bm25"}': 1,
    'knowledge_search_results_sum{mode="bm25"}': 2,
    'knowledge_search_seconds_count{mode="bm25"}': 1,
    knowledge_requests_in_progress: 0,
    knowledge_embeddings_waiting: 0,
    knowledge_stores_active: 1,
    knowledge_chunks: 2,
    knowledge_vectors_pending: 2,
    knowledge_questions_pending: 2,
    knowledge_store_bytes: expect.any(Number),
    nodejs_eventloop_lag_seconds: expect.any(Number),
  });
  expect(text).not.toMatch(/apple|fruit/);
  expect(text).not.toContain(project.path);
});

// Helpers

function valuesIn(text: string): Readonly<Record<string, number>> {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(samples.map((line) => [line.replace(/ \S+$/, ''), numberIn(line)]));
}

function numberIn(line: string): number {
  return Number(line.slice(line.lastIndexOf(' ')));
}
