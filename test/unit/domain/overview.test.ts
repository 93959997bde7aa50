import { describe, expect, it } from 'vitest';
import { FIELDS } from '../../../src/domain/fields.js';
import { CHUNK_ORDERS, orderSteps } from '../../../src/domain/overview/chunk-list.js';
import { type ChunkGroup, surveyOf } from '../../../src/domain/overview/chunk-survey.js';

describe('an order of chunks', () => {
  it.each([
    ['source', []],
    ['most_retrieved', ['-retrievals', '-lastRetrievedAt']],
    ['least_retrieved', ['retrievals', 'updatedAt']],
    ['newest', ['-updatedAt']],
    ['longest', ['-tokens']],
  ] as const)('%s ends by source, position and id', (order, first) => {
    const steps = orderSteps(order).map(
      ([field, direction]) => `${direction === 'DESC' ? '-' : ''}${field}`,
    );
    expect(steps).toEqual([...first, 'sourceFile', 'chunkIndex', 'id']);
    expect(CHUNK_ORDERS).toContain(order);
  });
});

describe('a survey', () => {
  it('sums up the groups of each type, the largest type first', () => {
    const groups = [
      group({ sourceType: 'url', chunks: 2, tokens: 10, retrievals: 3 }),
      group({ chunks: 4, tokens: 20, neverRetrieved: 1 }),
      group({ chunks: 1, tokens: 900, retrievals: 5, sizeStep: 16 }),
    ];
    const lastRetrieved = [{ day: '2026-01-01', chunks: 3 }];
    expect(surveyOf({ groups, lastRetrieved })).toMatchObject({
      ...{ chunks: 7, tokens: 930, retrievals: 8, neverRetrieved: 1, lastRetrieved },
      types: [
        { sourceType: 'file', chunks: 5, tokens: 920, retrievals: 5 },
        { sourceType: 'url', chunks: 2, tokens: 10, retrievals: 3 },
      ],
    });
  });

  it.each([
    [0, 50],
    [1, 100],
    [2, 200],
    [3, 200],
    [9, 500],
    [10, 600],
    [12, 800],
    [15, 800],
    [16, undefined],
  ])('counts the size step %i up to %j tokens', (sizeStep, upTo) => {
    const { sizes } = surveyOf({ groups: [group({ sizeStep })], lastRetrieved: [] });
    expect(sizes.filter(({ chunks }) => chunks > 0)).toEqual([
      { ...(upTo !== undefined && { upTo }), chunks: 1 },
    ]);
    expect(sizes).toHaveLength(9);
  });
});

it.each(['', '.', '..', 'a/b', 'a\\b', 'a\0', 'x'.repeat(256), 7])(
  'the name of a feature is that of a folder: not %j',
  (name) => expect(FIELDS.featureId.accepts(name)).toBe(false),
);

it.each(['a', '...', '.a', 'x'.repeat(255)])('the name of a feature may be %j', (name) =>
  expect(FIELDS.featureId.accepts(name)).toBe(true),
);

function group(changed: Partial<ChunkGroup>): ChunkGroup {
  const counts = { chunks: 1, tokens: 1, retrievals: 0, neverRetrieved: 0 };
  return { sourceType: 'file', sizeStep: 0, ...counts, ...changed };
}
