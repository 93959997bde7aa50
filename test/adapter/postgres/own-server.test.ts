import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chunk } from '../../../src/domain/chunks/chunk.js';
import { found, ingest } from '../../contract/harness/steps.js';
import { chunk, document } from '../../support/chunks.js';
import { executeAs } from '../../support/execute-as.js';
import { PostgresServer } from '../../support/postgres-server.js';
import {
  hasServerPrograms,
  NEEDS_PROGRAMS,
  SERVER_BIN,
} from '../../support/postgres-under-test.js';
import { postgresHarness } from './project-stores-harness.js';

describe.skipIf(!hasServerPrograms)(`a server of its own ${NEEDS_PROGRAMS}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.create(SERVER_BIN, 'kept');
  });
  afterAll(() => server?.remove());

  it('is used again after its database was emptied', async () => {
    const harness = await postgresHarness({ url: server.url, connections: 1 });
    const subject = { harness, store: await harness.stores.open(harness.projectPath) };
    await ingest(subject, document('a', ['copper']));
    await executeAs(
      server.url,
      `DROP SCHEMA knowledge_store CASCADE; DROP SCHEMA ${harness.schema()} CASCADE`,
    );
    await expect(found(subject, 'copper')).rejects.toMatchObject({ code: 'store_unavailable' });
    const again = { harness, store: await harness.stores.open(harness.projectPath) };
    expect(await found(again, 'copper')).toEqual([]);
    await ingest(again, document('a', ['copper']));
    expect(await found(again, 'copper')).toEqual(['a#0']);
    await harness.dispose();
  });

  it.each<readonly [string, Partial<Chunk>]>([
    ['a text with too many words', { content: manyWords(200_000) }],
    ['an index that is no integer there', { chunkIndex: 2 ** 40 }],
    ['a heading with too many words', { heading: manyWords(200_000) }],
  ])('skips a chunk with %s, and imports all others with their sources', async (_, odd) => {
    const harness = await postgresHarness({ url: server.url, connections: 1 });
    const store = await harness.stores.open(harness.projectPath);
    const chunks = [{}, {}, odd, {}, {}].map((rest, i) => ({
      chunk: chunk('a', i, { id: `a#${i}`, content: `copper ${i}`, ...rest }),
      retrievalCount: 0,
    }));
    const sources = [{ sourceType: 'file', sourceFile: 'a', contentHash: '' } as const];
    const counts = await store.upkeep.import({ chunks, sources });
    expect(counts).toMatchObject({ chunks: 4, skipped: 1 });
    expect(await found({ store }, 'copper')).toHaveLength(4);
    expect(await store.chunks.indexedSources()).toHaveLength(1);
    await harness.dispose();
  });

  it.each(['repeatable read', 'serializable'])(
    'is used where its transactions are %s by default',
    async (isolation) => {
      await executeAs(
        server.url,
        `ALTER SYSTEM SET default_transaction_isolation = '${isolation}'`,
      );
      await executeAs(server.url, 'SELECT pg_reload_conf()');
      const harness = await postgresHarness({ url: server.url, connections: 2 });
      const first = await harness.stores.open(harness.projectPath);
      const second = await harness.otherProcess().open(harness.projectPath);
      for (let round = 0; round < 30; round += 1) {
        const asking = [first, second, first, second].map(({ upkeep }) => upkeep.acquire('a', 10));
        await expect(Promise.all(asking)).resolves.toHaveLength(4);
      }
      await harness.dispose();
    },
  );
});

function manyWords(count: number): string {
  return Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
}
