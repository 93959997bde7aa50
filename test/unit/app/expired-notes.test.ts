import { expect, it } from 'vitest';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { coreInMemory } from '../../support/core-in-memory.js';

it.each([
  ['2020-01-01', true],
  ['2999-12-31', false],
])('doctor lists a note that expires on %s for review: %s', async (expires, isListed) => {
  const { library, useCases } = coreInMemory({ clock: new FixedClock() });
  await library.notes.addNote('/project', { title: 'Locks', content: 'Writers wait.', expires });
  const { ok, findings } = await useCases.doctor.examine({ projectPath: '/project' });
  const sentence = expect.stringContaining('.knowledge/notes/locks.md');
  const listed = findings.filter(({ code }) => code === 'expired');
  expect({ ok, listed }).toEqual({
    ok: true,
    listed: isListed ? [{ code: 'expired', sentence }] : [],
  });
});
