import { expect, it } from 'vitest';
import type { ChunkEntry } from '../../../src/domain/overview/chunk-list.js';
import { surveyOf } from '../../../src/domain/overview/chunk-survey.js';
import { featureId } from '../../../src/schemas/fields.js';

it.each([
  [50, 50],
  [51, 100],
  [101, 200],
  [200, 200],
  [500, 500],
  [501, 600],
  [800, 800],
  [801, undefined],
])('a survey counts a chunk of %i tokens among those of up to %j', (tokens, upTo) => {
  const { sizes } = surveyOf([entry({ tokens })]);
  expect(sizes.filter(({ chunks }) => chunks > 0)).toEqual([
    { ...(upTo !== undefined && { upTo }), chunks: 1 },
  ]);
  expect(sizes).toHaveLength(9);
});

it.each(['', '.', '..', 'a/b', 'a\\b', 'a\0', 'x'.repeat(256), 7])(
  'the name of a feature is that of a folder: not %j',
  (name) => expect(featureId.safeParse(name).success).toBe(false),
);

it.each(['a', '...', '.a', 'x'.repeat(255)])('the name of a feature may be %j', (name) =>
  expect(featureId.safeParse(name).success).toBe(true),
);

function entry(changed: Partial<ChunkEntry>): ChunkEntry {
  const source = { id: 'a#0', sourceType: 'file', sourceFile: 'a', chunkIndex: 0 } as const;
  const times = { createdAt: '2026-01-01', updatedAt: '2026-01-01' };
  return { ...source, ...times, tokens: 1, importance: 0.5, retrievals: 0, ...changed };
}
