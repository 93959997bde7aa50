import { expect, it } from 'vitest';
import { CitationFinder } from '../../../src/app/citations/citation-finder.js';
import type { Project } from '../../../src/app/project.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';
import { document } from '../../support/chunks.js';

const LINES = 2_000;

const cite = (files: InMemoryProjectFiles) =>
  new CitationFinder({
    files,
    fileNames: { list: async () => files.paths },
    appDirs: { of: () => '.knowledge' } as never,
  }).begin({ path: '/project' } as Project, DEFAULT_SETTINGS);

const bigFile = Array.from({ length: LINES }, (_, index) => `line ${index}`).join('\n');

it.each([
  ['lines', (i: number) => `see src/a.ts:${(i % LINES) + 1}`],
  ['ranges', (i: number) => `see src/a.ts:${(i % 900) + 1}-${(i % 900) + 1000}`],
  ['the whole', () => 'see src/a.ts'],
  ['its name', (i: number) => `see \`a.ts:${(i % LINES) + 1}\``],
])('reads a cited file at most twice, however often documents cite %s', async (_, mention) => {
  const files = new InMemoryProjectFiles({ 'src/a.ts': bigFile });
  const find = cite(files);
  for (const name of ['a.md', 'b.md']) {
    const cited = await find(
      document(
        name,
        Array.from({ length: 200 }, (_, i) => mention(i)),
      ),
    );
    expect(cited.chunks.every(({ citations }) => citations?.length === 1)).toBe(true);
  }
  expect(files.reads.length).toBeLessThanOrEqual(2);
});

it('lets the event loop run between the chunks of a document', async () => {
  const find = cite(new InMemoryProjectFiles({ 'src/a.ts': bigFile }));
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  await find(
    document(
      'a.md',
      Array.from({ length: 50 }, (_, i) => `see src/a.ts:${i + 1}`),
    ),
  );
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(49);
});
