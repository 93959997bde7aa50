import { basename } from 'node:path';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { LocalWorld, unspoken } from './local-world.js';

const AT_ONCE = 4;

/** L1: several commands each save a note at the same moment, like the subagents of an agent. */
export const notesAtOnce: FaultFamily = {
  name: 'L1',
  title: 'notes that are added at once',
  defaultRounds: 50,
  async run({ rounds }) {
    const world = await LocalWorld.open();
    const confirmed: string[] = [];
    const wrong: string[] = [];
    let slowestMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      const titles = Array.from({ length: AT_ONCE }, (_, index) => `r${round}n${index}`);
      const ends = await Promise.all(
        titles.map((title) => world.run(['note', 'add', title, `The text of ${title}.`])),
      );
      for (const [index, end] of ends.entries()) {
        slowestMs = Math.max(slowestMs, end.tookMs);
        if (end.code === 0) confirmed.push(titles[index] ?? '');
        else wrong.push(unspoken(end) ?? `${titles[index]}: ${end.err.trim()}`);
      }
    }
    const lost = await missing(world, confirmed);
    const { database, path } = world.project;
    wrong.push(...lost, ...problemsIn(database, { project: path }));
    await world.close();
    return {
      rounds,
      acknowledged: confirmed.length,
      lost: lost.length,
      wrong,
      notes: [
        `${confirmed.length} of ${rounds * AT_ONCE} notes; slowest command ${Math.round(slowestMs)} ms`,
      ],
    };
  },
  negativeControl: async () => {
    const world = await LocalWorld.open();
    await world.run(['note', 'add', 'r0n0', 'The text of r0n0.']);
    await world.run(['note', 'delete', 'r0n0']);
    const lost = await missing(world, ['r0n0']);
    await world.close();
    return lost;
  },
};

/** One sentence for each note that is not indexed. */
async function missing(world: LocalWorld, titles: readonly string[]): Promise<readonly string[]> {
  const names = new Set((await world.indexedNotes()).map((file) => basename(file, '.md')));
  const lost: string[] = [];
  for (const title of titles) {
    if (!names.has(title)) lost.push(`the note ${title} was confirmed and is gone`);
  }
  return lost;
}
