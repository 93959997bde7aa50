import { describe, expect, it } from 'vitest';
import { LongLists } from '../../../src/adapters/store-threads/long-lists.js';

const LIST = Array.from({ length: 2001 }, (_, i) => i);

describe('a long list', () => {
  it('is sent in parts, each when it is asked for', () => {
    const lists = new LongLists();
    expect(lists.first(1, LIST)).toEqual({ kind: 'part', id: 1, values: LIST.slice(0, 1000) });
    expect(lists.next(1)).toEqual({ kind: 'part', id: 1, values: LIST.slice(1000, 2000) });
    expect(lists.next(1)).toEqual({ kind: 'result', id: 1, value: [2000] });
  });

  it('is not mixed up with that of another call', () => {
    const lists = new LongLists();
    lists.first(1, LIST);
    lists.first(2, ['other', ...LIST]);
    expect(lists.next(2)).toMatchObject({ kind: 'part', id: 2, values: LIST.slice(999, 1999) });
    expect(lists.next(1)).toMatchObject({ kind: 'part', id: 1, values: LIST.slice(1000, 2000) });
  });
});

describe('another result', () => {
  it.each([[[]], [LIST.slice(0, 1000)], ['text'], [undefined], [new Float32Array(2000)]])(
    'is sent as it is',
    (value) => {
      expect(new LongLists().first(1, value)).toEqual({ kind: 'result', id: 1, value });
    },
  );
});
