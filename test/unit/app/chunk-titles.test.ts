import { beforeEach, expect, it } from 'vitest';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const LONG = 'The quick ibex climbs. '.repeat(120);

let world: CoreInMemory;

beforeEach(() => {
  world = coreInMemory();
});

async function titlesIn(file: string, text: string) {
  world.ports.files.set(file, text);
  await world.core.store.readAllSources(P);
  const { chunks } = await world.core.overview.listChunks(P, { sourceFile: file, limit: 200 });
  return chunks.map(({ heading, title }) => [heading, title]);
}

it('a listed chunk has the nearest heading above its text, if that is not its own', async () => {
  const text = '# database\n\n### Locks\n\nBusy.\n\n### Backups\n\nNightly.\n\nTested.\n';
  expect(await titlesIn('docs/database.md', text)).toEqual([
    ['database', 'Locks'],
    ['database', 'Backups'],
    ['database', 'Backups'],
  ]);
});

it('a piece of a long section has the heading of the piece before', async () => {
  const text = `## Animals\n\n### Ibex\n\n${LONG}\n\n${LONG}\n\n## Plants\n\nFern.\n`;
  const titles = await titlesIn('docs/animals.md', text);
  const pieces = titles.slice(0, -1);
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces).toEqual(pieces.map(() => ['Animals', 'Ibex']));
  expect(titles.at(-1)).toEqual(['Plants', undefined]);
});

it('a text without any heading has none', async () => {
  expect(await titlesIn('docs/plain.md', 'One.\n\nTwo.\n')).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});
