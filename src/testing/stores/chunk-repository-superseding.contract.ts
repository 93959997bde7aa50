import { expect } from 'vitest';
import { document } from '../harness/chunks.js';
import type { Suite } from '../harness/contract-suite.js';
import { ingest } from '../harness/project-stores-subject.js';

/** Which sources say that they replace another one. */
export function declareSuperseding({ it, subject }: Suite): void {
  const links = () => subject().store.chunks.supersessions();

  it('knows what a source says that it replaces, until it is gone or says otherwise', async () => {
    const { store } = subject();
    await ingest(subject(), document('old.md', ['copper']));
    await ingest(subject(), { ...document('new.md', ['walnut']), supersedes: 'old.md' });
    await ingest(subject(), { ...document('newer.md', ['basalt']), supersedes: 'nowhere.md' });
    expect((await links()).toSorted((a, b) => (a.sourceFile < b.sourceFile ? -1 : 1))).toEqual([
      { sourceFile: 'new.md', supersedes: 'old.md' },
      { sourceFile: 'newer.md', supersedes: 'nowhere.md' },
    ]);
    await store.chunks.replaceSource('newer.md', async () => undefined);
    await ingest(subject(), { ...document('new.md', ['oak']), supersedes: 'other.md' });
    expect(await links()).toEqual([{ sourceFile: 'new.md', supersedes: 'other.md' }]);
    await ingest(subject(), document('new.md', ['pine']));
    expect(await links()).toEqual([]);
  });

  it('takes it along with a source that has another path now', async () => {
    const said = { supersedes: 'old.md' };
    await ingest(subject(), { ...document('new.md', ['walnut']), ...said });
    await ingest(subject(), { ...document('b.md', ['walnut']), ...said, movedFrom: 'new.md' });
    expect(await links()).toEqual([{ sourceFile: 'b.md', supersedes: 'old.md' }]);
  });

  it('takes it from a record, unless it has indexed another version of the source', async () => {
    const { records } = subject().store;
    const record = { sourceType: 'manual', contentHash: 'a', documentChunkCount: 1 } as const;
    await ingest(subject(), document('known.md', ['walnut']));
    await records.addSources([
      { ...record, sourceFile: 'new.md', supersedes: 'old.md' },
      { ...record, sourceFile: 'known.md', supersedes: 'old.md' },
    ]);
    expect(await links()).toEqual([{ sourceFile: 'new.md', supersedes: 'old.md' }]);
  });
}
