import { describe, expect, it } from 'vitest';
import { fromJsonLine, toJsonLine } from '../../../src/domain/transfer/export-lines.js';
import { COUNT_MAX } from '../../../src/domain/transfer/records.js';

const HEADER = {
  kind: 'knowledge-store-export',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  model: 'a model',
};
const SOURCE = {
  kind: 'source',
  sourceType: 'file',
  sourceFile: 'a.md',
  contentHash: 'hash',
  documentChunkCount: 1,
};
const CHUNK = {
  id: 'a.md#0',
  sourceType: 'file',
  sourceFile: 'a.md',
  chunkIndex: 0,
  content: 'text',
  importance: 0.5,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const RECORD = { kind: 'chunk', chunk: CHUNK, retrievalCount: 0 };
const END = { kind: 'end', sources: 1, chunks: 2 };

/** Wrong values of fields with the same rule. */
const NOT_TEXT = [7, null, ['a'], '\ud800'];
const NOT_NAME = [...NOT_TEXT, undefined, '', 'a\0b', 'a'.repeat(4097)];
const NOT_COUNT = [-1, 0.5, '1', null, undefined, COUNT_MAX + 1];
const NOT_DATE = [7, undefined, '', 'yesterday', `2026-01-01${' '.repeat(40)}`];
const NOT_TYPE = ['other', 7, undefined, ''];
const NOT_TEXTS = ['a', [7], [null], null, ['\ud800'], { length: 0 }];

const each = (fields: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(fields).flatMap(([name, values]) => values.map((value) => [name, value] as const));

describe('a line of an export', () => {
  it.each([HEADER, SOURCE, RECORD, END])('is accepted: %j', (line) => {
    expect(fromJsonLine(JSON.stringify(line), 1)).toEqual(line);
  });

  it.each(
    each({
      kind: ['other', null, undefined],
      version: [0, 2, '1', undefined],
      createdAt: [...NOT_TEXT, undefined],
      model: [...NOT_TEXT, undefined],
    }),
  )('begins an export of this version, not one whose %s is %j', (field, value) => {
    expectRefused({ ...HEADER, [field]: value });
  });

  it.each(
    each({
      sourceType: NOT_TYPE,
      sourceFile: NOT_NAME,
      contentHash: [...NOT_TEXT, undefined],
      documentChunkCount: NOT_COUNT,
    }),
  )('is not a source whose %s is %j', (field, value) => {
    expectRefused({ ...SOURCE, [field]: value });
  });

  it.each(
    each({
      chunk: [undefined, null, [], 'text'],
      contentHash: NOT_TEXT,
      retrievalCount: NOT_COUNT,
      lastRetrievedAt: NOT_DATE.filter((value) => value !== undefined),
      questions: NOT_TEXTS,
    }),
  )('is not a record whose %s is %j', (field, value) => {
    expectRefused({ ...RECORD, [field]: value });
  });

  it.each(
    each({
      id: NOT_NAME,
      sourceType: NOT_TYPE,
      sourceFile: NOT_NAME,
      chunkIndex: NOT_COUNT,
      heading: NOT_TEXT,
      content: [...NOT_TEXT, undefined],
      tags: NOT_TEXTS,
      importance: [null, '0.5', undefined],
      createdAt: NOT_DATE,
      updatedAt: NOT_DATE,
    }),
  )('is not a chunk whose %s is %j', (field, value) => {
    expectRefused({ ...RECORD, chunk: { ...CHUNK, [field]: value } });
  });

  it.each(each({ sources: NOT_COUNT, chunks: NOT_COUNT }))(
    'does not end an export if its %s is %j',
    (field, value) => {
      expectRefused({ ...END, [field]: value });
    },
  );

  it('may have the id of another program, unless the service wrote the chunk', () => {
    const foreign = { ...RECORD, chunk: { ...CHUNK, id: 'another id' } };
    expect(fromJsonLine(JSON.stringify(foreign), 1)).toEqual(foreign);
    expectRefused({ ...foreign, contentHash: 'hash' });
  });

  it('has the longest names and the largest counts', () => {
    const sourceFile = 'a'.repeat(4096);
    const line = { ...SOURCE, sourceFile, documentChunkCount: COUNT_MAX };
    expect(fromJsonLine(JSON.stringify(line), 1)).toEqual(line);
  });

  it('loses a vector that is not valid, which can be computed again, and an empty list of tags', () => {
    const odd = { ...RECORD, chunk: { ...CHUNK, tags: [] }, vector: 'AAA', questionVector: 7 };
    expect(fromJsonLine(JSON.stringify(odd), 1)).toStrictEqual(RECORD);
    expect(fromJsonLine(JSON.stringify({ ...RECORD, vector: '!' }), 1)).toStrictEqual(RECORD);
    expect(fromJsonLine(JSON.stringify({ ...RECORD, vector: '' }), 1)).toStrictEqual(RECORD);
  });

  it('has vectors as base64 of little-endian floats', () => {
    const vector = Float32Array.of(1, -2);
    const line = toJsonLine({ ...fromRecord(), vector });
    expect(JSON.parse(line).vector).toBe('AACAPwAAAMA=');
  });

  it('has at most 1 MiB beside its longest text, which may have quotation marks', () => {
    const chunk = { ...CHUNK, content: '"'.repeat(1024 * 1024) };
    const full = { ...RECORD, chunk, more: '-'.repeat(1024 * 1024 - 300) };
    expect(fromJsonLine(JSON.stringify(full), 1)).toEqual({ ...RECORD, chunk });
    const overfull = { ...full, more: '-'.repeat(1024 * 1024) };
    expect(() => fromJsonLine(JSON.stringify(overfull), 7)).toThrow(/^Line 7 has more beside/);
    const small = { ...END, more: Array(400_000).fill({}) };
    expect(() => fromJsonLine(JSON.stringify(small), 7)).toThrow(/^Line 7 has more beside/);
  });

  it('is named by its number when it is refused', () => {
    expect(() => fromJsonLine('{', 42)).toThrow(/^Line 42 is not a line of an export/);
  });
});

function fromRecord() {
  const line = fromJsonLine(JSON.stringify(RECORD), 1);
  if (line.kind !== 'chunk') throw new Error('It is a chunk.');
  return line;
}

function expectRefused(line: unknown): void {
  const refused = expect.objectContaining({ code: 'not_readable' });
  expect(() => fromJsonLine(JSON.stringify(line), 1)).toThrow(refused);
}
