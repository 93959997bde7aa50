import { ChunksInAMap } from '../fakes/chunks-in-a-map.js';
import { describeChunkRepository } from './stores/chunk-repository.contract.js';

describeChunkRepository('a map, as a program may bring it', async () => ({
  repository: new ChunksInAMap(),
  projectPath: '/project',
  otherProjectPath: '/other-project',
  dispose: async () => {},
}));
