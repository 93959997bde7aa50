import { describe, expect, it } from 'vitest';
import { isRecord } from '../../../src/domain/records.js';

describe('isRecord', () => {
  it.each([{}, { a: 1 }, Object.create(null)])('accepts the object %j', (value) => {
    expect(isRecord(value)).toBe(true);
  });

  it.each([[undefined], [null], [true], [7], ['text'], [() => ({})]])(
    'rejects %s, which is not an object',
    (value) => {
      expect(isRecord(value)).toBe(false);
    },
  );

  it('rejects a list', () => {
    expect(isRecord([{ a: 1 }])).toBe(false);
  });
});
