import { describe, expect, it } from 'vitest';
import { noCitationCheck } from '../../../src/app/citations/citation-check.js';
import { HybridRetriever } from '../../../src/app/search/hybrid-retriever.js';
import { KeywordRetriever } from '../../../src/app/search/keyword-retriever.js';
import { Search } from '../../../src/app/search/search.js';
import { noMetrics } from '../../../src/app/wiring/null-objects.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import { useSubject } from '../../../src/testing/harness/contract-suite.js';
import { ingest } from '../../../src/testing/harness/steps.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { noFreshness } from '../../fakes/no-freshness.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { document } from '../../support/chunks.js';
import { sqliteWithVectorsInMemory } from './project-stores-harness.js';

describe('A hybrid search over SQLite with vectors in memory', () => {
  const subject = useSubject(sqliteWithVectorsInMemory);

  it.each(['rrf', 'blend'] as const)(
    'finds by meaning what has no word in common, by %s',
    async (fusion) => {
      const { harness, store } = subject();
      const embedder = FakeEmbedder.ready({ meanings: { lubricant: 'oil', automobile: 'car' } });
      await ingest(subject(), document('words', ['lubricant prices']));
      await ingest(subject(), document('sense', ['oil for the car']));
      await ingest(subject(), document('other', ['walnut basalt']));
      for (const { chunkId, texts } of await store.vectors.pending(10)) {
        const [vector] = await embedder.embedBatch(texts);
        if (vector !== undefined) await store.vectors.put([{ chunkId, texts, vector }]);
      }

      const answer = await searchWith(embedder).search(
        { path: harness.projectPath, store },
        'lubricant automobile',
        { candidates: 'union', fusion },
      );

      expect(answer.retrievalMode).toBe('hybrid');
      const files = answer.results.map(({ chunk }) => chunk.sourceFile);
      expect(files.toSorted()).toEqual(['sense', 'words']);
    },
  );

  function searchWith(embedder: FakeEmbedder): Search {
    const { clock } = subject().harness;
    const logger = new SilentLogger();
    const keyword = KeywordRetriever.forCandidates();
    const retriever = new HybridRetriever({ keyword, embedder, clock, logger });
    const settings = { read: async () => DEFAULT_SETTINGS };
    const citations = noCitationCheck;
    const ports = {
      settings,
      clock,
      logger,
      freshness: noFreshness,
      citations,
      metrics: noMetrics,
    };
    return new Search({ retriever, textRetriever: retriever, ...ports });
  }
});
