import { expect, it } from 'vitest';
import type { Project } from '../../../src/app/project.js';
import { QuietSessions } from '../../../src/app/sessions/quiet-sessions.js';
import type { SessionCollecting } from '../../../src/app/sessions/session-collector.js';

const NOW = new Date('2026-05-01T12:00:00Z');
const [P, Q] = ['/p', '/q'].map((path) => ({ path }) as Project);

/** Transcripts that were changed this many seconds ago. */
const AGES = [0, 119, 120, 3600];

function world() {
  let monotonic = 1_000_000;
  const collected: [project: string, ages: readonly number[]][] = [];
  const sessions: SessionCollecting = {
    collect: async (project, isWanted = () => true) => {
      const transcript = (age: number) => ({
        path: '/t.jsonl',
        version: '1',
        modifiedAt: NOW.getTime() - age * 1000,
      });
      collected.push([project.path, AGES.filter((age) => isWanted(transcript(age)))]);
      return { written: [], skipped: [] };
    },
  };
  const clock = { now: () => NOW, monotonic: () => monotonic };
  const quietSessions = new QuietSessions({ sessions, clock });
  return { quietSessions, collected, pass: (ms: number) => (monotonic += ms) };
}

it('collects what had no additions for two minutes, once a minute for each project', async () => {
  const { quietSessions, collected, pass } = world();
  const both = async () => {
    for (const project of [P, Q]) if (project) await quietSessions.collect(project);
  };
  await both();
  expect(collected.splice(0)).toEqual([
    ['/p', [120, 3600]],
    ['/q', [120, 3600]],
  ]);
  pass(59_999);
  await both();
  expect(collected).toEqual([]);
  pass(1);
  await both();
  expect(collected.splice(0).map(([path]) => path)).toEqual(['/p', '/q']);
  pass(30_000);
  await both();
  expect(collected).toEqual([]);
});
