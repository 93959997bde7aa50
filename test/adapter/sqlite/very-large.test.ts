import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSubject } from '../../contract/harness/contract-suite.js';
import { ingest } from '../../contract/harness/steps.js';
import { document } from '../../support/chunks.js';
import { sqliteHarness } from './project-stores-harness.js';

describe('A search of a very large database', () => {
  const subject = useSubject(sqliteHarness);
  const started: unknown[] = [];
  const note = (message: unknown) => started.push(message);

  beforeEach(() => subscribe('child_process', note));
  afterEach(() => {
    unsubscribe('child_process', note);
    started.length = 0;
  });

  it('runs in another process, and finds the same', async () => {
    await ingest(
      subject(),
      document('notes', ['copper and walnut', 'walnut', 'the other copper pot']),
    );
    const before = await search();
    expect(before.map(({ chunk }) => chunk.id)).toEqual(['notes#0', 'notes#2']);
    expect(started).toHaveLength(0);
    makeLarge();
    expect(await search()).toEqual(before);
    expect(started).toHaveLength(1);
  });

  /** SQLite ignores what follows the last page that the header counts. */
  function makeLarge() {
    const { projectPath } = subject().harness;
    truncateSync(join(projectPath, '.knowledge/knowledge.db'), 1024 ** 3 + 4096);
  }

  function search() {
    return subject().store.keywords.search({
      expression: { kind: 'terms', terms: [{ text: 'copper', prefix: false }] },
      filter: { sourceTypes: 'all' },
      limit: 5,
    });
  }
});
