import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkId, SOURCE_TYPES } from '../../src/domain/chunks/chunk.js';
import { KnowledgeError } from '../../src/domain/errors.js';
import {
  type ExportLine,
  fromJsonLine,
  toJsonLine,
} from '../../src/domain/transfer/export-lines.js';
import { COUNT_MAX } from '../../src/domain/transfer/records.js';
import { runs } from '../support/seed.js';

const text = fc.string({ unit: 'grapheme' });
const name = text.map((letters) => `n${letters.replaceAll('\0', '')}`);
const sourceType = fc.constantFrom(...SOURCE_TYPES);
const count = fc.integer({ min: 0, max: COUNT_MAX });
const date = fc.date({ noInvalidDate: true }).map((time) => time.toISOString());
const vector = fc.float32Array({ minLength: 1, maxLength: 8 });
const optional = { requiredKeys: [] as [] };

const header = fc.record({ createdAt: date, model: text }).map((fields) => ({
  kind: 'knowledge-store-export' as const,
  version: 1 as const,
  ...fields,
}));
const source = fc.record({
  kind: fc.constant('source' as const),
  sourceType,
  sourceFile: name,
  contentHash: text,
  documentChunkCount: count,
});
const chunk = fc
  .tuple(
    fc.record({
      sourceType,
      sourceFile: name,
      chunkIndex: count,
      content: text,
      importance: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0),
      createdAt: date,
      updatedAt: date,
    }),
    fc.record({ heading: text, tags: fc.array(text, { minLength: 1 }) }, optional),
    fc.record(
      {
        contentHash: text,
        lastRetrievedAt: date,
        questions: fc.array(text),
        vector,
        questionVector: vector,
      },
      optional,
    ),
    count,
  )
  .map(([always, sometimes, known, retrievalCount]) => ({
    kind: 'chunk' as const,
    chunk: { id: chunkId(always.sourceFile, always.chunkIndex), ...always, ...sometimes },
    retrievalCount,
    ...known,
  }));
const end = fc.record({ kind: fc.constant('end' as const), sources: count, chunks: count });
const line: fc.Arbitrary<ExportLine> = fc.oneof(header, source, chunk, end);

describe('a line of an export, whatever it holds', () => {
  it('is one line, and is read as what was written', () => {
    fc.assert(
      fc.property(line, (written) => {
        const json = toJsonLine(written);
        expect(json).not.toContain('\n');
        expect(fromJsonLine(json, 1)).toEqual(written);
      }),
      runs(300),
    );
  });

  it('is refused when it is anything else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (other) => {
        expect(() => fromJsonLine(other, 7)).toThrow(KnowledgeError);
      }),
      runs(300),
    );
  });
});
