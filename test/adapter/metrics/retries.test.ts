import { test } from 'vitest';
import { PrometheusMetrics } from '../../../src/adapters/metrics/prometheus-metrics.js';
import { configFrom } from '../../../src/app/config/read-config.js';
import { composeService } from '../../../src/app/wiring/container.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { eventually } from '../../support/running-service.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

test('background work that fails counts as tried again', async () => {
  const metrics = new PrometheusMetrics();
  const embedder = FakeEmbedder.ready();
  embedder.fail();
  const config = configFrom({ backend: 'memory', logger: 'silent' });
  const { indexing, stop } = composeService(config, { ports: { embedder, metrics } });
  const project = projects.make({ 'docs/fruit.md': '## Apple\nan apple\n' });
  await indexing.ingest({ projectPath: project.path });
  await eventually(async () =>
    /^knowledge_retries_total\{work="vectors"\} 1$/m.exec(await metrics.read()),
  );
  await stop();
});
