import { describe, expect, it } from 'vitest';
import { matchesFilter } from '../../../src/app/projects/matches-filter.js';
import type { ChunkFilter } from '../../../src/ports/keyword-index.js';

const chunk = {
  projectPath: '/project',
  id: '.knowledge/sessions/one.md#0',
  sourceFile: '.knowledge/sessions/one.md',
  chunkIndex: 0,
  sourceType: 'agent_output' as const,
  content: 'Said in a session.',
  tags: ['said'],
  importance: 0.5,
  createdAt: '2026-01-02T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  retrievalCount: 0,
};

describe('a filter over chunks of a foreign repository', () => {
  it.each<[boolean, Partial<ChunkFilter>]>([
    [true, {}],
    [false, { excludedFolders: ['.knowledge/sessions'] }],
    [true, { excludedFolders: ['.knowledge/session'] }],
    [true, { folders: ['.knowledge'] }],
    [false, { folders: ['docs'] }],
    [false, { until: '2026-01-02T00:00:00.000Z' }],
    [false, { tags: ['said', 'written'] }],
  ])('%s for %j', (matches, filter) => {
    expect(matchesFilter(chunk, { sourceTypes: 'all', ...filter })).toBe(matches);
  });
});
