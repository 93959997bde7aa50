import { expect } from 'vitest';
import { document, draft } from '../../support/chunks.js';
import { type ContractOptions, contractSuite, type Subject } from '../harness/contract-suite.js';
import { ingest } from '../harness/steps.js';

/** What every EmbeddableTexts does, for contents and for questions. */
export function describeEmbeddableTexts(name: string, options: ContractOptions): void {
  contractSuite(`EmbeddableTexts: ${name}`, options, ({ it, subject }) => {
    it('has the present text of each chunk, with its heading', async () => {
      const { content } = subject().store.texts;
      await ingest(subject(), document('a', [draft('copper', { heading: 'metal' }), 'walnut']));
      const texts = await content.of(['a#1', 'unknown#0', 'a#0']);
      expect(texts.toSorted(byId)).toEqual([
        { chunkId: 'a#0', texts: ['metal\ncopper'] },
        { chunkId: 'a#1', texts: ['walnut'] },
      ]);
      await ingest(subject(), document('a', ['basalt']));
      expect(await content.of(['a#0', 'a#1'])).toEqual([{ chunkId: 'a#0', texts: ['basalt'] }]);
      expect(await content.of([])).toEqual([]);
    });

    it('has the questions of chunks that have some', async () => {
      const { questions } = subject().store.texts;
      await ingestAsked(subject());
      expect(await questions.of(['a#0', 'b#0', 'c#0'])).toEqual([
        { chunkId: 'b#0', texts: ['Why b?', 'How b?'] },
      ]);
      expect(await questions.all()).toEqual([{ chunkId: 'b#0', texts: ['Why b?', 'How b?'] }]);
    });

    it('has those of all chunks, newest first', async () => {
      const { content } = subject().store.texts;
      await ingestAsked(subject());
      const ids = (await content.all()).map(({ chunkId }) => chunkId);
      expect(ids).toEqual(['c#0', 'b#0', 'a#0']);
    });

    it('tells which chunks a filter lets through', async () => {
      const { content, questions } = subject().store.texts;
      await ingestAsked(subject());
      const ids = ['a#0', 'b#0', 'unknown#0'];
      for (const texts of [content, questions]) {
        expect(await texts.matching(ids, { sourceTypes: 'all' })).toEqual(new Set(['a#0', 'b#0']));
        const reflections = { sourceTypes: ['reflection'] } as const;
        expect(await texts.matching(ids, reflections)).toEqual(new Set(['b#0']));
        const notB = { sourceTypes: 'all', excludedSources: ['b'] } as const;
        expect(await texts.matching(ids, notB)).toEqual(new Set(['a#0']));
        expect(await texts.matching(ids, { sourceTypes: [] })).toEqual(new Set());
      }
    });

    it('counts all chunks, with questions or not', async () => {
      const { content, questions } = subject().store.texts;
      expect(await content.countChunks()).toBe(0);
      await ingestAsked(subject());
      expect(await content.countChunks()).toBe(3);
      expect(await questions.countChunks()).toBe(3);
    });
  });
}

/** Three chunks, of which the second has questions. */
async function ingestAsked(subject: Subject): Promise<void> {
  await ingest(subject, document('a', ['a']));
  await ingest(subject, document('b', ['b'], 'reflection'));
  await ingest(subject, document('c', ['c']));
  await subject.store.questions.save({ id: 'b#0', text: 'b' }, ['Why b?', 'How b?']);
}

function byId(a: { readonly chunkId: string }, b: { readonly chunkId: string }): number {
  return a.chunkId < b.chunkId ? -1 : 1;
}
