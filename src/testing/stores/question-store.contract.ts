import { expect } from 'vitest';
import { document, draft, vector } from '../harness/chunks.js';
import { type ContractOptions, contractSuite, type Subject } from '../harness/contract-suite.js';
import { ingest } from '../harness/steps.js';
import { outsideOf } from '../harness/store-harness.js';

/** What every QuestionStore does. */
export function describeQuestionStore(name: string, options: ContractOptions): void {
  contractSuite(`QuestionStore: ${name}`, options, ({ it, subject }) => {
    it('lists chunks with a vector and without questions, newest first', async () => {
      const { store } = subject();
      for (const file of ['a', 'b', 'c', 'd']) await ingest(subject(), document(file, [file]));
      for (const file of ['c', 'a', 'd']) await giveVector(subject(), file);
      await store.questions.save({ id: 'd#0', text: 'd' }, ['Why d?']);

      const expected = [
        { id: 'c#0', text: 'c' },
        { id: 'a#0', text: 'a' },
      ];
      expect(await store.questions.pending(10)).toEqual(expected);
      expect(await store.questions.pending(1)).toEqual(expected.slice(0, 1));
    });

    it('lists heading and content as the text', async () => {
      await ingest(subject(), document('a', [draft('content', { heading: 'heading' })]));
      await giveVector(subject(), 'heading\ncontent');
      const text = 'heading\ncontent';
      const { store } = subject();
      expect(await store.questions.pending(10)).toEqual([{ id: 'a#0', text }]);
    });

    it('does not list a chunk whose vector is from another model', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['a']));
      await outsideOf(harness).plantVector('a#0', vector(1), 'another-model');
      expect(await store.questions.pending(10)).toEqual([]);
    });

    it('stores questions in their order', async () => {
      const { store } = subject();
      await ingest(subject(), document('a', ['a']));
      const questions = ['Why?', 'How "so"?', 'Wörüm?'];
      await store.questions.save({ id: 'a#0', text: 'a' }, questions);
      expect(await store.questionVectors.pending(10)).toEqual([
        { chunkId: 'a#0', texts: questions },
      ]);
    });

    it('drops questions for a text that was deleted or has changed', async () => {
      const { store } = subject();
      await ingest(subject(), document('a', [draft('new', { heading: 'x' })]));
      await store.questions.save({ id: 'a#0', text: 'new' }, ['Why?']);
      await store.questions.save({ id: 'a#0', text: 'x\nold' }, ['Why?']);
      await store.questions.save({ id: 'gone#0', text: 'x\nnew' }, ['Why?']);
      expect(await store.questionVectors.pending(10)).toEqual([]);
    });
  });
}

async function giveVector({ store }: Subject, text: string): Promise<void> {
  const pending = await store.vectors.pending(100);
  await store.vectors.put(
    pending
      .filter((entry) => entry.texts[0] === text)
      .map((entry) => ({ ...entry, vector: vector(1) })),
  );
}
