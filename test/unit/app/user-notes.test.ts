import { beforeEach, describe, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { withUserNotes } from '../../../src/app/user-notes/covering.js';
import type { CoveredUseCases } from '../../../src/app/user-notes/user-notes.js';
import { invalidRequest } from '../../../src/domain/errors.js';
import { toUserId, USER_APP_DIR } from '../../../src/domain/saved/user-note-ids.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const USER = '/user';
const IBEX = { title: 'Ibex', content: 'The ibex climbs the cliff.' };

let own: CoreInMemory;
let user: CoreInMemory;
let prepared: number;
let opened: number;
let both: CoveredUseCases;
/** The ids that each search counted as retrieved in the project. */
let counted: (readonly string[])[];
/** The search in the notes of the user, if it is not the real one. */
let userSearch: Pick<CoveredUseCases['search'], 'read'> | undefined;

/** The search of the project, which also writes down what it counts. */
function watchedSearch(): CoveredUseCases['search'] {
  const { search } = own.useCases;
  return {
    read: (request) => search.read(request),
    byText: (request) => search.byText(request),
    search: (request) => search.search(request),
    answer: (request) => search.answer(request),
    reflections: (request) => search.reflections(request),
    similar: (request) => search.similar(request),
    countRetrievals: async (project, ids) => {
      counted.push(ids);
      await search.countRetrievals(project, ids);
    },
    stop: () => search.stop(),
  };
}

beforeEach(() => {
  own = coreInMemory();
  counted = [];
  userSearch = undefined;
  const options = { shownId: toUserId, fileChecks: 'before searches' } as const;
  user = coreInMemory({ appDirs: appDirectories(USER_APP_DIR) }, options);
  prepared = 0;
  opened = 0;
  const userNotes = {
    projectPath: USER,
    exist: () => prepared > 0,
    prepare: () => {
      prepared += 1;
    },
    open: () => {
      opened += 1;
      return {
        ...user.useCases,
        ...(userSearch && { search: userSearch as CoveredUseCases['search'] }),
      };
    },
  };
  const { projects } = own.useCases;
  const ofProject = { ...own.useCases, search: watchedSearch() };
  both = withUserNotes(ofProject, userNotes, { logger: own.ports.logger, projects });
});

const addForUser = (note: Partial<Parameters<typeof both.notes.add>[0]> = {}) =>
  both.notes.add({ projectPath: P, ...IBEX, scope: 'user', ...note });
const versionOf = async (id: string) =>
  (await both.noteReading.get({ projectPath: P, id })).version;

describe('a note', () => {
  it('belongs to the project unless its scope or its id names the user', async () => {
    expect(await both.notes.add({ projectPath: P, ...IBEX })).toMatchObject({ id: 'ibex' });
    expect([prepared, opened]).toEqual([0, 0]);
    expect(await addForUser()).toMatchObject({
      id: 'user:ibex',
      sourceFile: 'user:notes/ibex.md',
      chunks: 1,
    });
    const named = { ...IBEX, title: 'Okapi', content: 'It hides.', id: 'user:o' };
    expect(await both.notes.add({ projectPath: P, ...named })).toMatchObject({ id: 'user:o' });
    expect(own.ports.files.paths.filter((path) => path.includes('notes/'))).toHaveLength(1);
  });

  it('of the project must not have an id of the user', async () => {
    const note = { projectPath: P, ...IBEX, id: ' user:ibex', scope: 'project' } as const;
    await expect(both.notes.add(note)).rejects.toThrow('must not begin with "user:"');
  });

  it('of the user is named with its id as a duplicate and as a similar note', async () => {
    await addForUser();
    expect(await addForUser()).toEqual({ duplicateOf: 'user:notes/ibex.md#0' });
    const similar = await addForUser({
      title: 'Ibex',
      content: 'The ibex climbs a cliff.',
    });
    expect(similar).toMatchObject({
      similarTo: [{ id: 'user:notes/ibex.md#0', sourceFile: 'user:notes/ibex.md' }],
    });
  });

  it('of the user is read, changed, replaced and deleted by its id', async () => {
    await addForUser();
    const id = 'user:ibex';
    expect(await both.noteReading.get({ projectPath: P, id })).toMatchObject({
      ...IBEX,
      id,
      sourceFile: 'user:notes/ibex.md',
      scope: 'user',
    });
    const changed = { projectPath: P, id, ifVersion: await versionOf(id), append: 'It sleeps.' };
    expect(await both.notes.change(changed)).toMatchObject({ id });
    expect(await both.noteReading.get({ projectPath: P, id })).toMatchObject({
      content: 'The ibex climbs the cliff.\n\nIt sleeps.',
    });
    const replaced = { projectPath: P, id, title: 'Ibex', content: 'It eats.' };
    expect(await both.notes.replace(replaced)).toMatchObject({ id });
    await both.notes.delete({ projectPath: P, id });
    const missing = 'There is no note with the id "user:ibex".';
    await expect(both.noteReading.get({ projectPath: P, id })).rejects.toThrow(missing);
    await expect(both.notes.delete({ projectPath: P, id })).rejects.toThrow(missing);
    await expect(both.notes.change(changed)).rejects.toThrow(missing);
    await expect(both.notes.replace(replaced)).rejects.toThrow(missing);
    expect(own.ports.files.paths).toEqual([]);
  });

  it('of the user has the same name in errors', async () => {
    const id = 'user:ibex';
    await addForUser();
    const taken = addForUser({ id, title: 'Other', content: 'Another animal.' });
    await expect(taken).rejects.toThrow('id "user:ibex"');
    const old = { projectPath: P, id, ...IBEX, ifVersion: 'old' };
    const current = { title: 'Ibex', version: await versionOf(id) };
    await expect(both.notes.replace(old)).rejects.toMatchObject({
      code: 'changed',
      message: expect.stringContaining('The note "user:ibex" has changed'),
      current,
    });
    const unknown = addForUser({ title: 'New', content: 'New.', supersedes: 'user:none' });
    await expect(unknown).rejects.toThrow('"user:none" does not exist');
    const lines = both.sources.lines({ projectPath: P, sourceFile: 'user:none' });
    await expect(lines).rejects.toThrow('"user:none" is not indexed');
  });

  it('of the user supersedes another one', async () => {
    await addForUser();
    await addForUser({ title: 'New', content: 'The ibex left.', supersedes: 'user:ibex' });
    const listed = await both.noteReading.list({ projectPath: P, scope: 'user' });
    const newer = new Map(listed.map(({ id, supersededBy }) => [id, supersededBy]));
    expect(newer.get('user:ibex')).toBe('user:new');
    expect(newer.get('user:new')).toBeUndefined();
  });

  it('of the project is changed and listed as without a user', async () => {
    await both.notes.add({ projectPath: P, ...IBEX });
    await addForUser({ title: 'Okapi', content: 'It hides.' });
    const list = await both.noteReading.list({ projectPath: P });
    expect(list.map(({ id, scope }) => [id, scope])).toEqual([['ibex', 'project']]);
    await both.notes.change({ projectPath: P, id: 'ibex', append: 'It sleeps.' });
    await both.notes.replace({ projectPath: P, id: 'ibex', title: 'Ibex', content: 'It eats.' });
    expect(await both.noteReading.get({ projectPath: P, id: 'ibex' })).toMatchObject({
      content: 'It eats.',
    });
    await both.notes.delete({ projectPath: P, id: 'ibex' });
    expect(own.ports.files.paths).toEqual([]);
  });
});

it('the list of user notes is empty, and nothing is made, while there are none', async () => {
  expect(await both.noteReading.list({ projectPath: P, scope: 'user' })).toEqual([]);
  expect(prepared).toBe(0);
});

describe('a search', () => {
  const found = async (asked: Partial<Parameters<typeof both.search.read>[0]> = {}) => {
    const answer = await both.search.read({ projectPath: P, query: 'ibex', ...asked });
    return answer.results.map(({ chunk: { id }, scope }) => [id, scope]);
  };
  const OWN = ['docs/a.md#0', 'project'];
  const NOTE = ['user:notes/ibex.md#0', 'user'];

  beforeEach(async () => {
    own.ports.files.set('docs/a.md', '## Goats\nThe ibex is a goat.\n');
    await own.core.store.readAllSources(P);
    await addForUser();
  });

  it('for people and agents finds notes of the user after those of the project', async () => {
    expect(await found()).toEqual([OWN, NOTE]);
    const { results } = await both.search.byText({
      projectPath: P,
      query: 'ibex',
      profile: 'reading',
    });
    expect(results.map(({ chunk }) => chunk.id)).toEqual([OWN[0], NOTE[0]]);
  });

  it('as specified does not', async () => {
    const { results } = await both.search.search({ projectPath: P, query: 'ibex' });
    expect(results.map(({ chunk }) => chunk.id)).toEqual([OWN[0]]);
    const answer = await both.search.answer({ projectPath: P, query: 'ibex' });
    expect(answer.results.map(({ chunk }) => chunk.id)).toEqual([OWN[0]]);
  });

  it.each([
    ['paths', { paths: ['docs/**'] }],
    ['other types', { sourceTypes: ['file' as const] }],
    ['words that no note has', { query: 'goat' }],
  ])('finds none of them for %s', async (_, asked) => {
    expect(await found(asked)).toEqual([OWN]);
  });

  it('finds them for their type', async () => {
    expect(await found({ sourceTypes: ['manual'] })).toEqual([NOTE]);
  });

  it('returns both within one limit, and counts those of the project that are left', async () => {
    expect(await found({ maxResults: 1 })).toEqual([OWN]);
    await found({ maxResults: 1, query: 'climbs' });
    await found({ retrievals: 'uncounted' });
    await found();
    expect(counted).toEqual([[OWN[0]], [], [OWN[0]]]);
  });

  it('explains both, and has one total', async () => {
    const answer = await both.search.read({ projectPath: P, query: 'ibex' });
    expect(answer.explanation.results.map(({ id }) => id)).toEqual([OWN[0], NOTE[0]]);
    const costs = answer.explanation.results.map(({ tokens }) => tokens);
    expect(answer.totalTokens).toBe(costs.reduce((a, b) => a + b));
    expect(answer.explanation.budget).toMatchObject({ usedTokens: answer.totalTokens, cut: 0 });
    const cut = await both.search.read({ projectPath: P, query: 'ibex', maxResults: 1 });
    expect(cut.explanation.budget).toMatchObject({ cut: 1 });
    expect(cut.explanation.results.map(({ id }) => id)).toEqual([OWN[0]]);
  });

  it('that only a note of the user answers has no remark about an empty answer', async () => {
    const answer = await both.search.read({ projectPath: P, query: 'climbs' });
    expect(answer.results.map(({ chunk }) => chunk.id)).toEqual([NOTE[0]]);
    expect(answer.explanation.notes.map(({ code }) => code)).not.toContain('no_match');
  });

  it('shows no chunk of the project that is named like a note of the user', async () => {
    own.ports.files.set('user:notes/x.md', '## Other\nThe ibex is a forgery.\n');
    await own.core.store.readAllSources(P);
    expect(await found()).toEqual([OWN, NOTE]);
    expect(await found({ query: 'goat', paths: ['**'] })).toEqual([OWN]);
    const { results } = await both.search.byText({
      projectPath: P,
      query: 'forgery',
      profile: 'reading',
    });
    expect(results).toEqual([]);
  });

  it('succeeds, and says so in the log, although the notes of the user cannot be searched', async () => {
    userSearch = { read: () => Promise.reject(new Error('The disk is gone.')) };
    expect(await found()).toEqual([OWN]);
    expect(own.ports.logger.messages('warn')).toEqual(['The user notes could not be searched.']);
  });

  it('is refused for a wrong request of both', async () => {
    userSearch = { read: () => Promise.reject(invalidRequest('query is wrong.')) };
    await expect(found()).rejects.toThrow('query is wrong.');
  });
});

describe('what is shown by id', () => {
  beforeEach(async () => {
    own.ports.files.set('docs/a.md', '# Goats\n\nThe ibex is a goat.\n');
    await own.core.store.readAllSources(P);
    await addForUser({
      content: `## One\n${'It climbs. '.repeat(200)}\n\n## Two\n${'It sleeps. '.repeat(200)}`,
    });
  });

  it('is a chunk of the project or of a note of the user', async () => {
    const ownChunk = await both.sources.chunk({ projectPath: P, id: 'docs/a.md#0' });
    expect(ownChunk.chunk.sourceFile).toBe('docs/a.md');
    const id = 'user:notes/ibex.md#0';
    const { chunk } = await both.sources.chunk({ projectPath: P, id });
    expect(chunk).toMatchObject({ id, sourceFile: 'user:notes/ibex.md' });
  });

  it('are lines of a file of the project or of a note of the user', async () => {
    const lines = (sourceFile: string) => both.sources.lines({ projectPath: P, sourceFile });
    expect(await lines('docs/a.md')).toMatchObject({ sourceFile: 'docs/a.md' });
    for (const name of ['user:ibex', 'user:notes/ibex.md']) {
      expect(await lines(name)).toMatchObject({ sourceFile: 'user:notes/ibex.md' });
    }
  });

  it('begins in the lines of its own file', async () => {
    const ids = ['user:notes/ibex.md#1', 'docs/a.md#0', 'user:notes/ibex.md#0', 'none#0'];
    const [second, goats, first, none] = await both.sources.findLines({ projectPath: P, ids });
    expect([goats, none]).toEqual([3, undefined]);
    expect(second).toBeGreaterThan(first ?? Number.NaN);
    const { results } = await both.search.read({ projectPath: P, query: 'climbs goat' });
    const located = await both.sources.located(P, results);
    expect(located.map(({ chunk, line }) => [chunk.id, line])).toContainEqual(['docs/a.md#0', 3]);
    expect(located.every(({ line }) => line !== undefined)).toBe(true);
  });

  it('is listed and deleted in the project alone', async () => {
    const { sources } = await both.sources.list({ projectPath: P });
    expect(sources.map(({ sourceFile }) => sourceFile)).toEqual(['docs/a.md']);
    expect(await both.sources.skipped({ projectPath: P })).toEqual([]);
    await expect(
      both.sources.delete({ projectPath: P, sourceFile: 'user:notes/ibex.md' }),
    ).rejects.toThrow();
    expect(user.ports.files.paths).toEqual(['./notes/ibex.md']);
  });
});
