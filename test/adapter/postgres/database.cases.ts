import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Subject } from '../../contract/harness/contract-suite.js';
import { found, ingest } from '../../contract/harness/steps.js';
import { document } from '../../support/chunks.js';
import { executeAs } from '../../support/execute-as.js';
import { type PostgresHarness, postgresHarness } from './project-stores-harness.js';

/** What only a database behind a server can be: newer, older, or without a schema. */
export function describeDatabase(name: string, url: () => string): void {
  describe(`the database: ${name}`, () => {
    let subject: Subject & { readonly harness: PostgresHarness; readonly schema: string };
    beforeEach(async () => {
      const harness = await postgresHarness({
        url: url(),
        connections: 1,
      });
      const store = await harness.stores.open(harness.projectPath);
      subject = { harness, store, schema: harness.schema() };
    });
    afterEach(() => subject.harness.dispose());

    it('refuses a project that a newer service has written', async () => {
      const { harness, schema } = subject;
      await executeAs(
        url(),
        `UPDATE knowledge_store.projects SET version = 99 WHERE schema_name = '${schema}'`,
      );
      const opening = harness.otherProcess().open(harness.projectPath);
      await expect(opening).rejects.toMatchObject({ code: 'schema_too_new' });
    });

    it('makes a project of an older version again, to be filled from its sources', async () => {
      const { harness, schema } = subject;
      await ingest(subject, document('a', ['copper']));
      await executeAs(
        url(),
        `UPDATE knowledge_store.projects SET version = version - 1 WHERE schema_name = '${schema}'`,
      );
      const store = await harness.otherProcess().open(harness.projectPath);
      expect(store.needsReindexing).toBe(true);
      expect(await found({ store }, 'copper')).toEqual([]);
    });

    it('does not take a missing table for a lost project', async () => {
      const { harness, schema, store } = subject;
      await ingest(subject, document('a', ['copper']));
      await executeAs(url(), `ALTER TABLE ${schema}.chunks RENAME TO away`);
      const searching = found(subject, 'copper');
      await expect(searching).rejects.toMatchObject({ code: 'store_unavailable' });
      await executeAs(url(), `ALTER TABLE ${schema}.away RENAME TO chunks`);
      const again = await harness.stores.open(harness.projectPath);
      expect(again.needsReindexing).toBe(false);
      expect(await found({ store: again }, 'copper')).toEqual(['a#0']);
      expect(again).not.toBe(store);
    });

    it('stores a text with NUL, which PostgreSQL does not know', async () => {
      const { store } = subject;
      await ingest(subject, document('a', ['copper\0walnut']));
      const [chunk] = await store.chunks.getChunks(['a#0', 'a\0#0']);
      expect(chunk?.content).toBe('copper\uFFFDwalnut');
    });
  });
}
