import { expect, it } from 'vitest';
import type { Project } from '../../../src/app/project.js';
import { findByMeaning, type SimilarChunksDeps } from '../../../src/app/saved/similar-chunks.js';
import { REFERENCE_SCALE } from '../../../src/domain/ranking/cosine-scale.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

const chunk = (id: number) => ({
  chunk: { id: `docs/a.md#${id}`, sourceFile: 'docs/a.md', heading: 'A', content: `text ${id}` },
});

it('compares a text with as many chunks as time allows while the model is busy', async () => {
  const clock = new FixedClock();
  const embedder = {
    model: 'slow',
    status: () => ({ state: 'ready' }),
    async embed(_text: string, signal: AbortSignal) {
      await clock.sleep(600, signal);
      return new Float32Array([1]);
    },
  };
  const deps = {
    clock,
    embedder,
    relevanceScales: { read: async () => REFERENCE_SCALE },
    search: { byText: async () => ({ results: [0, 1, 2, 3, 4, 5, 6, 7].map(chunk) }) },
  } as unknown as SimilarChunksDeps;
  const vectors = { similarities: async () => new Map() };
  const project = { path: '/project', store: { vectors } } as unknown as Project;

  let known: Awaited<ReturnType<typeof findByMeaning>> | undefined;
  findByMeaning(deps, project, { title: 'A', content: 'text', except: [] }).then((found) => {
    known = found;
  });
  let waited = 0;
  for (; known === undefined && waited < 10_000; waited += 100) {
    await new Promise(setImmediate);
    clock.advance(100);
  }
  expect(waited).toBeLessThanOrEqual(2_100);
  expect(known?.map((one) => one.chunk.id)).toEqual(['docs/a.md#0', 'docs/a.md#1']);
});
