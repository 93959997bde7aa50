import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  LocalReranker,
  type LocalRerankerOptions,
} from '../../../src/adapters/transformers/model/local-reranker.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { directoryOfRealModel } from '../../support/running-service.js';

const MODEL = 'Xenova/ms-marco-MiniLM-L-12-v2';
const BERLIN = 'Berlin has a population of 3,520,031 registered inhabitants.';
const WORKER = new URL('../../../dist/bundle/reranking-worker.js', import.meta.url);

const stopping = new AbortController();
afterAll(() => stopping.abort());

function make(options: Partial<LocalRerankerOptions>): LocalReranker {
  return new LocalReranker({
    model: MODEL,
    modelsDirectory: '/nowhere',
    hub: 'http://127.0.0.1:1',
    downloads: 'forbidden',
    clock: new FixedClock(),
    logger: new SilentLogger(),
    workerFile: WORKER,
    signal: stopping.signal,
    ...options,
  });
}

describe('a local reranker whose files are missing', () => {
  it('says how to get them, and downloads nothing if that is forbidden', async () => {
    const reranker = make({});
    const message =
      'The reranker is not available: files are missing in /nowhere/Xenova/ms-marco-MiniLM-L-12-v2; "knowledge-store models pull" downloads them.';
    const query = { query: 'q', documents: ['a'] };
    await expect(reranker.rerank(query)).rejects.toThrow(message);
    await expect(reranker.load()).rejects.toThrow(message);
  });
});

const dataDir = directoryOfRealModel();
describe.skipIf(dataDir === undefined)(
  'its real weights (skipped without ../shared/models)',
  () => {
    const reranker = make({ modelsDirectory: join(dataDir ?? '', 'models') });
    beforeAll(() => reranker.load());

    it('score as published, by the piece of a document that answers best', async () => {
      await reranker.load();
      const documents = [
        BERLIN,
        'New York City is famous for its museums.',
        `${'x '.repeat(300)}${BERLIN}`,
        '',
      ];
      const query = 'How many people live in Berlin?';
      const [berlin, newYork, hidden, none] = await reranker.rerank({ query, documents });
      expect(berlin).toBeCloseTo(9.26, 1);
      expect(newYork).toBeCloseTo(-11.2, 1);
      expect(hidden).toBeGreaterThan(0);
      expect(none).toBeLessThan(-5);
    });

    it('abandon an aborted query before its next piece', async () => {
      await reranker.load();
      const over = new AbortController();
      const documents = Array.from({ length: 8 }, () => 'word '.repeat(1_600));
      const long = reranker.rerank({ query: 'q', documents }, over.signal);
      const next = reranker.rerank({ query: 'q', documents: ['a'] });
      over.abort('over');
      await expect(long).rejects.toThrow('the call was cancelled');
      // All pieces of the long documents would take a quarter of a minute on a fast machine.
      expect(await next).toHaveLength(1);
    });
  },
);
