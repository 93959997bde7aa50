import { beforeEach, describe, expect, it } from 'vitest';
import type { Project } from '../../../src/app/project.js';
import {
  chunkFilter,
  expiredSources,
  hiddenSources,
  sourcesMeant,
} from '../../../src/app/search/filters.js';
import type { SearchParameters } from '../../../src/app/search/retrieval.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';
import { document } from '../../support/chunks.js';
import { memoryStores } from '../../support/sqlite-stores.js';

const NOW = new Date('2026-05-01T12:00:00Z');
const COMPOSED = 'docs/caf\u00e9.md';
const FILES = ['README.md', 'docs/a.md', 'docs/deep/b.md', 'docsets/c.md', COMPOSED];

let project: Project;
beforeEach(async () => {
  const store = await memoryStores({ clock: new FixedClock() }).open('/project');
  project = { path: '/project', store };
  await store.chunks.replaceSources(
    FILES.map((sourceFile) => ({ sourceFile, document: document(sourceFile, [sourceFile]) })),
  );
});

const filter = (asked: Partial<SearchParameters>) =>
  chunkFilter(project, { projectPath: '/project', query: 'x', profile: 'reading', ...asked }, NOW);

describe('the filter of a search', () => {
  it('has no condition by default', async () => {
    expect(await filter({})).toEqual({ sourceTypes: 'all', tags: [], excludedSources: [] });
  });

  it('has the conditions of the request', async () => {
    const asked = { sourceTypes: ['manual' as const], tags: ['x'], folders: ['docs'] };
    expect(await filter({ ...asked, excludedSources: ['docs/a.md'] })).toEqual({
      ...asked,
      excludedSources: ['docs/a.md'],
    });
  });

  it('has times as ISO 8601', async () => {
    expect(await filter({ since: '12h' })).toMatchObject({ since: '2026-05-01T00:00:00.000Z' });
    expect(await filter({ until: '2026-04-01' })).toMatchObject({
      until: '2026-04-01T00:00:00.000Z',
    });
    expect(Object.keys(await filter({ since: '1d' }))).not.toContain('until');
    expect(Object.keys(await filter({ until: '1d' }))).not.toContain('since');
  });

  it.each([
    [['docs'], ['docs/a.md', 'docs/deep/b.md', COMPOSED]],
    [['./docs/'], ['docs/a.md', 'docs/deep/b.md', COMPOSED]],
    [['././docs//'], ['docs/a.md', 'docs/deep/b.md', COMPOSED]],
    [['docs/a.md'], ['docs/a.md']],
    [['docs/*.md'], ['docs/a.md', COMPOSED]],
    [['docs/cafe\u0301.md'], [COMPOSED]],
    [['.'], FILES],
    [
      ['README.md', 'docsets'],
      ['README.md', 'docsets/c.md'],
    ],
    [['deep'], []],
  ])('has the files that are meant by %j', async (paths, files) => {
    const { sourceFiles = [] } = await filter({ paths });
    expect(sourceFiles.toSorted()).toEqual([...files].toSorted());
  });
});

describe('sources that searches leave out', () => {
  beforeEach(async () => {
    const noted = (sourceFile: string, rest: object) => ({
      sourceFile,
      document: { ...document(sourceFile, [sourceFile], 'manual'), ...rest },
    });
    await project.store.chunks.replaceSources([
      noted('.knowledge/notes/old.md', {}),
      noted('.knowledge/notes/new.md', { supersedes: '.knowledge/notes/old.md' }),
      noted('.knowledge/notes/today.md', { expires: '2026-05-01' }),
      noted('.knowledge/notes/tomorrow.md', { expires: '2026-05-02' }),
    ]);
  });

  it('are those that are replaced, and those that expire today or earlier', async () => {
    const [old, today] = ['.knowledge/notes/old.md', '.knowledge/notes/today.md'];
    expect(await hiddenSources(project, { now: NOW })).toEqual([old, today]);
    expect(await hiddenSources(project, { now: NOW, includeSuperseded: true })).toEqual([today]);
    expect(await expiredSources(project, NOW)).toEqual([today]);
    expect((await filter({})).excludedSources).toEqual([old, today]);
    expect((await filter({ includeSuperseded: true })).excludedSources).toEqual([today]);
  });
});

describe('the sources meant by a path', () => {
  let files: InMemoryProjectFiles;
  beforeEach(async () => {
    files = new InMemoryProjectFiles({ 'docs/a.md': 'A', 'docs/same.md': 'A' });
    files.link('link.md', 'docs/a.md');
    const indexed = async (sourceFile: string) => {
      const reading = await files.readText('/project', sourceFile);
      const hash = reading && 'hash' in reading ? reading.hash : '';
      const contentHash = `1:${hash}`;
      return { sourceFile, document: { ...document(sourceFile, ['A']), contentHash } };
    };
    await project.store.chunks.replaceSources([
      await indexed('docs/a.md'),
      await indexed('docs/same.md'),
    ]);
  });
  const meant = (path?: string) => sourcesMeant(files, project, path);

  it('are the path in its spellings', async () => {
    expect(await meant()).toEqual([]);
    expect(await meant('nowhere.md')).toEqual(['nowhere.md']);
    expect(await meant('')).toEqual(['']);
    expect(await meant('/project/none.md')).toEqual(['/project/none.md', 'none.md']);
  });

  it('include the file to which a link leads, but no copy of it', async () => {
    expect(await meant('link.md')).toEqual(['link.md', 'docs/a.md']);
    expect(await meant('./link.md')).toEqual(['./link.md', 'link.md', 'docs/a.md']);
  });

  it('are the path alone if it may not be read', async () => {
    files.refuse('link.md', 'it is too large');
    expect(await meant('link.md')).toEqual(['link.md']);
  });
});
