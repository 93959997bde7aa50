import { afterAll, beforeAll } from 'vitest';
import { describeEmbedder } from '../../src/testing/models/embedder.contract.js';
import { FakeEmbedder } from '../fakes/fake-embedder.js';
import { writeTinyModel } from '../support/tiny-model.js';
import { TemporaryFolders, tinyEmbedder } from '../support/tiny-model-embedder.js';
import { realModel } from '../support/tiny-model-real.js';

const folders = new TemporaryFolders();
let modelsDirectory = '';

beforeAll(async () => {
  modelsDirectory = await folders.make();
  await writeTinyModel(modelsDirectory);
});
afterAll(() => folders.removeAll());

describeEmbedder('fake', () => new FakeEmbedder());

describeEmbedder('transformers with a tiny model', () => tinyEmbedder({ modelsDirectory }));

const real = realModel();
describeEmbedder(
  'transformers with the real weights',
  () => tinyEmbedder({ ...real.source, model: real.model }),
  { skip: real.missing },
);
