import type { Lesson } from '../../src/domain/lessons/lesson-text.js';
import { FakeLessonExtractor } from '../fakes/fake-lesson-extractor.js';
import { FakeSummarizer } from '../fakes/fake-summarizer.js';
import { makeFeatureWorld } from './feature-world.js';

export const WAL: Lesson = {
  category: 'storage',
  title: 'Use WAL',
  content: 'In WAL mode readers do not wait for the writer.',
};
export const JSON_ERRORS: Lesson = {
  category: 'api',
  title: 'Errors are JSON',
  content: 'Every route answers an error as an object.',
};
/** {@link WAL} as feature `f-1` leaves it in the memory. */
export const WAL_PARAGRAPH =
  '### Use WAL (2026-01-05)\n- **Learned:** In WAL mode readers do not wait for the writer.\n- **Feature:** f-1\n';

/** A world with a feature `f-1`, and what completes it with these lessons. */
export async function startCompletion() {
  const extractor = new FakeLessonExtractor();
  const summarizer = new FakeSummarizer();
  const world = await makeFeatureWorld({ extractor, summarizer });
  await world.write('features/f-1/feature.json', '{"title": "Search", "description": "Fast."}');
  return {
    extractor,
    summarizer,
    world,
    complete(...lessons: readonly Lesson[]) {
      extractor.lessons = lessons;
      return world.features.completeFeature(world.path, 'f-1');
    },
  };
}

export type Completion = Awaited<ReturnType<typeof startCompletion>>;
