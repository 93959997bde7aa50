import { expect, it } from 'vitest';
import { FakeLessonExtractor } from '../../fakes/fake-lesson-extractor.js';
import { makeFeatureWorld } from '../../support/feature-world.js';

it('completes features in the order of the calls, however long a project takes to open', async () => {
  const extractor = new FakeLessonExtractor();
  const world = await makeFeatureWorld({ extractor });
  const open = world.projects.open.bind(world.projects);
  let calls = 0;
  world.projects.open = async (path) => {
    calls += 1;
    const project = await open(path);
    if (calls === 1) await new Promise((resolve) => setImmediate(resolve));
    return project;
  };
  const ids = ['f-1', 'f-2', 'f-3'];
  for (const id of ids) await world.write(`features/${id}/feature.json`, `{"title": "${id}"}`);
  await Promise.all(ids.map((id) => world.features.completeFeature(world.path, id)));
  expect(extractor.calls.map(({ title }) => title)).toEqual(ids);
  await world.dispose();
});
