import { expect } from 'vitest';
import { document, draft } from '../../support/chunks.js';
import { type ContractOptions, contractSuite } from '../harness/contract-suite.js';
import { ingest } from '../harness/steps.js';

/** What every QuestionStore does. */
export function describeQuestionStore(name: string, options: ContractOptions): void {
  contractSuite(`QuestionStore: ${name}`, options, ({ it, subject }) => {
    it('lists chunks without questions, newest first', async () => {
      const { store } = subject();
      for (const file of ['a', 'b', 'c']) await ingest(subject(), document(file, [file]));
      await store.questions.save({ id: 'b#0', text: 'b' }, ['Why b?']);

      const expected = [
        { id: 'c#0', text: 'c' },
        { id: 'a#0', text: 'a' },
      ];
      expect(await store.questions.pending(10)).toEqual(expected);
      expect(await store.questions.pending(1)).toEqual(expected.slice(0, 1));
    });

    it('lists heading and content as the text', async () => {
      await ingest(subject(), document('a', [draft('content', { heading: 'heading' })]));
      const text = 'heading\ncontent';
      const { store } = subject();
      expect(await store.questions.pending(10)).toEqual([{ id: 'a#0', text }]);
    });

    it('stores questions in their order', async () => {
      const { store } = subject();
      await ingest(subject(), document('a', ['a']));
      const questions = ['Why?', 'How "so"?', 'Wörüm?'];
      await store.questions.save({ id: 'a#0', text: 'a' }, questions);
      expect(await store.questionVectors.pending(10)).toEqual([
        { chunkId: 'a#0', texts: questions },
      ]);
      expect(await store.questions.questionsOf('a#0')).toEqual(questions);
      expect(await store.questions.questionsOf('gone#0')).toEqual([]);
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
