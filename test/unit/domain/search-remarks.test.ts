import { expect, it } from 'vitest';
import { ANSWER_NOTE_CODES, isTransient } from '../../../src/domain/ranking/search.js';

it('remarks apply temporarily while vectors are missing or the first indexing runs', () => {
  expect(ANSWER_NOTE_CODES.filter((code) => isTransient({ code }))).toEqual([
    ...['no_vectors', 'indexing'],
  ]);
});
