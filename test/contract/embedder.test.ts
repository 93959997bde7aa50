import { afterAll, beforeAll } from 'vitest';
import { EndpointEmbedder } from '../../src/adapters/openai/endpoint-embedder.js';
import { FakeEmbedder } from '../fakes/fake-embedder.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { inWorker } from '../support/embedder-in-worker.js';
import { embeddings } from '../support/embedding-endpoint.js';
import { startModelEndpoint } from '../support/model-endpoint.js';
import { writeTinyModel } from '../support/tiny-model.js';
import { TemporaryFolders, tinyEmbedder } from '../support/tiny-model-embedder.js';
import { describeEmbedder } from './models/embedder.contract.js';

const folders = new TemporaryFolders();
let modelsDirectory = '';

beforeAll(async () => {
  modelsDirectory = await folders.make();
  await writeTinyModel(modelsDirectory);
});
afterAll(async () => {
  await folders.removeAll();
  await endpoint.close();
});

describeEmbedder('fake', () => new FakeEmbedder());

describeEmbedder('transformers with a tiny model', () => tinyEmbedder({ modelsDirectory }));

describeEmbedder('that of the primary, in a worker', () => inWorker(new FakeEmbedder()));

const endpoint = await startModelEndpoint(embeddings);
describeEmbedder('an endpoint', () => {
  const { baseUrl } = endpoint;
  return new EndpointEmbedder({
    baseUrl,
    model: 'small-3',
    clock: new FixedClock(),
    logger: new SilentLogger(),
  });
});
