import { expect, it } from 'vitest';
import { coreInMemory } from '../../support/core-in-memory.js';

it('looks for the application directory of a project once, however many sources it has', async () => {
  let looks = 0;
  const appDirs = {
    of: () => {
      looks += 1;
      return '.knowledge';
    },
  };
  const { core, ports } = coreInMemory({ appDirs });
  for (let i = 0; i < 100; i += 1) ports.files.set(`.knowledge/features/f-${i}/reflection.md`, 'x');
  const project = await core.projects.open('/project');
  await core.ingestion.ingest(project, { group: 'reflections' });
  looks = 0;
  expect(await core.ingestion.wanted.of(project)).toEqual(['reflections']);
  expect(looks).toBe(1);
});
