import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  CANDIDATE_SETS,
  chunkSizes,
  DEFAULT_SETTINGS,
  FUSIONS,
  type Settings,
} from '../../src/domain/settings.js';
import { readSettings } from '../../src/schemas/settings.js';
import { runs } from '../support/seed.js';

const names = Object.keys(DEFAULT_SETTINGS);
const almostRight = fc.oneof(
  fc.jsonValue(),
  fc.integer({ min: -2, max: 1_000_002 }),
  fc.double({ min: -1, max: 2 }),
  fc.boolean(),
  fc.constantFrom(...FUSIONS, ...CANDIDATE_SETS, '**/*.md', '../x', '/x'),
  fc.array(fc.constantFrom('**/*.md', 'docs/*', '', '*****', 'a/../b', 'x'.repeat(201), 7)),
);
const objects = fc.dictionary(
  fc.oneof(fc.constantFrom(...names), fc.string(), fc.constant('__proto__')),
  almostRight,
);

it('reads any JSON value as settings within their ranges', () => {
  fc.assert(
    fc.property(fc.oneof(objects, fc.jsonValue()), (value) => {
      const { settings } = readSettings(value);
      expect(Object.keys(settings).toSorted()).toEqual(names.toSorted());
      expectWithinRanges(settings);
    }),
    runs(500),
  );
});

function expectWithinRanges(settings: Settings): void {
  expect(Number.isInteger(settings.maxChunkSize) && settings.maxChunkSize >= 1).toBe(true);
  expect(Number.isInteger(settings.chunkOverlap) && settings.chunkOverlap >= 0).toBe(true);
  expect(settings.defaultImportance >= 0 && settings.defaultImportance <= 1).toBe(true);
  expect(settings.queryVectorTimeoutMs >= 1 && settings.queryVectorTimeoutMs <= 60_000).toBe(true);
  expect(typeof settings.autoReindex).toBe('boolean');
  expect(typeof settings.hybridRetrieval).toBe('boolean');
  const { maxTokens, pieceTokens } = chunkSizes(settings);
  expect(1 <= pieceTokens && pieceTokens <= maxTokens && maxTokens <= 500).toBe(true);
  for (const pattern of [...settings.includePatterns, ...settings.excludePatterns]) {
    expect(typeof pattern).toBe('string');
    expect(pattern.length).toBeLessThanOrEqual(200);
    expect(pattern.startsWith('/') || pattern.split('/').includes('..')).toBe(false);
  }
}
