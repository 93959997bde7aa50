import { beforeEach, describe, expect, it } from 'vitest';
import { searchOfBoth } from '../../../src/app/user-notes/search-of-both.js';
import type { CoveredUseCases, UserNotes } from '../../../src/app/user-notes/user-notes.js';
import { KnowledgeError } from '../../../src/domain/errors.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { chunk } from '../../support/chunks.js';

type Search = CoveredUseCases['search'];

const found = (id: string, rest: object = {}) => ({
  results: [{ chunk: chunk(id, 0), score: 1, relevance: 0.9, ...rest }],
  retrievalMode: 'hybrid',
  leftOut: 0,
  explanation: { results: [], notes: [], budget: { cut: 0 } },
});
const NONE = { ...found('none'), results: [] };
const QUESTION = { projectPath: '/project', query: 'locks' };

let logger: SilentLogger;
let calls: unknown[];
let notes: () => Promise<object>;
let notesExist: boolean;
let opened: () => Promise<unknown>;

/** A search that writes down its calls, and finds this. */
const searching = (name: string, find: () => Promise<object>): Search => {
  const call = (method: string) => async (request: { readonly retrievals?: string }) => {
    calls.push(`${name}.${method} ${request?.retrievals ?? ''}`.trim());
    return find();
  };
  const methods = ['read', 'byText', 'search', 'answer', 'reflections', 'similar', 'stop'];
  const countRetrievals = async (project: unknown, ids: readonly string[]) => {
    calls.push([project, ids]);
  };
  return {
    ...Object.fromEntries(methods.map((method) => [method, call(method)])),
    countRetrievals,
  } as unknown as Search;
};

const both = () => {
  const user = {
    projectPath: '/user',
    exist: () => notesExist,
    open: () => ({ search: searching('user', () => notes()) }),
  } as unknown as UserNotes;
  const own = searching('own', async () => found('docs/a.md'));
  const projects = { open: () => opened() };
  return searchOfBoth(own, user, { logger, projects } as never);
};

const namesOf = ({ results }: { readonly results: readonly { chunk: { id: string } }[] }) =>
  results.map((result) => result.chunk.id);

beforeEach(() => {
  logger = new SilentLogger();
  [calls, notesExist] = [[], true];
  notes = async () => found('./notes/mine.md');
  opened = async () => 'the project';
});

describe.each(['read', 'byText'] as const)('%s', (method) => {
  const search = (rest: object = {}) => both()[method]({ ...QUESTION, ...rest } as never);
  const OWN = 'docs/a.md#0';
  const BOTH = [OWN, 'user:notes/mine.md#0'];

  it('finds user notes too, and counts the results of the project', async () => {
    expect(namesOf(await search())).toEqual(BOTH);
    expect(calls).toEqual([
      `user.${method} uncounted`,
      `own.${method} uncounted`,
      ['the project', [OWN]],
    ]);
  });

  it.each([
    ['there are none', () => (notesExist = false), {}],
    ['other kinds of sources are asked for', () => {}, { sourceTypes: ['file'] }],
    ['paths of the project are asked for', () => {}, { paths: ['docs'] }],
  ])('asks the project alone if %s', async (_, change, rest) => {
    change();
    expect(namesOf(await search(rest))).toEqual([OWN]);
    expect(calls).toEqual([`own.${method}`]);
  });

  it('asks for user notes among other kinds of sources', async () => {
    expect(namesOf(await search({ sourceTypes: ['file', 'manual'] }))).toEqual(BOTH);
  });

  it('leaves the answer of the project as it is if no user note is found', async () => {
    notes = async () => NONE;
    expect(namesOf(await search())).toEqual([OWN]);
    expect(calls).toEqual([`user.${method} uncounted`, `own.${method}`]);
  });

  it('finds what the project has if user notes cannot be searched, and says so in the log', async () => {
    notes = () => Promise.reject(new KnowledgeError('store_unavailable', 'Locked.'));
    expect(namesOf(await search())).toEqual([OWN]);
    const message = 'The user notes could not be searched.';
    expect(logger.entries).toEqual([{ level: 'warn', message, fields: { reason: 'Locked.' } }]);
  });

  it('refuses a wrong request', async () => {
    notes = () => Promise.reject(new KnowledgeError('invalid_request', 'No.'));
    await expect(search()).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('succeeds even if retrievals cannot be counted', async () => {
    opened = () => Promise.reject(new Error('no'));
    expect(namesOf(await search())).toEqual(BOTH);
    expect(calls).toHaveLength(2);
    await search({ retrievals: 'uncounted' });
    expect(calls).toHaveLength(4);
  });
});

it('a superseded user note names the note that supersedes it, which is one of the user', async () => {
  notes = async () => found('./notes/mine.md', { supersededBy: 'newer' });
  const { results } = await both().read(QUESTION);
  expect(results[1]).toMatchObject({ scope: 'user', supersededBy: 'user:newer' });
  notes = async () => found('./notes/mine.md');
  expect((await both().read(QUESTION)).results[1]).not.toHaveProperty('supersededBy');
});

it.each(['search', 'answer', 'reflections', 'similar', 'stop'] as const)(
  '%s asks the project alone',
  async (method) => {
    const call = both()[method] as (request: object) => Promise<unknown>;
    expect(await call(QUESTION)).toEqual(found('docs/a.md'));
    expect(calls).toEqual([`own.${method}`]);
  },
);

it('only retrievals of the project are counted', async () => {
  await both().countRetrievals('the project' as never, ['docs/a.md#0', 'user:notes/mine.md#0']);
  expect(calls).toEqual([['the project', ['docs/a.md#0']]]);
});
