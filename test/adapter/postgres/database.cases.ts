import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Subject } from '../../contract/harness/contract-suite.js';
import { found, ingest } from '../../contract/harness/steps.js';
import { document } from '../../support/chunks.js';
import { executeAs } from '../../support/execute-as.js';
import { type PostgresHarness, postgresHarness } from './project-stores-harness.js';

/** What only a database behind a server can be: shared with other releases, or without a schema. */
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

    it.each([7, 99])('leaves the tables of a release with version %d alone', async (version) => {
      const { harness, schema } = subject;
      await ingest(subject, document('a', ['copper']));
      const other = schema.replace(/(_\d+)?$/, `_${version}`);
      await executeAs(
        url(),
        `ALTER SCHEMA ${schema} RENAME TO ${other};
         UPDATE knowledge_store.projects SET schema_name = '${other}', version = ${version}
         WHERE schema_name = '${schema}'`,
      );
      const store = await harness.otherProcess().open(harness.projectPath);
      expect(store.needsReindexing).toBe(true);
      expect(await found({ store }, 'copper')).toEqual([]);
      const chunks = await executeAs(url(), `SELECT id FROM ${other}.chunks`);
      expect(chunks).toEqual([{ id: 'a#0' }]);
      const listed = await executeAs(
        url(),
        `SELECT directories FROM knowledge_store.projects WHERE schema_name IN ('${schema}', '${other}')`,
      );
      expect(listed).toHaveLength(2);
      expect(listed[0]).toEqual(listed[1]);
      await executeAs(
        url(),
        `DROP SCHEMA ${other} CASCADE; DELETE FROM knowledge_store.projects WHERE schema_name = '${other}'`,
      );
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
