import { beforeEach, describe, expect, it } from 'vitest';
import { KnowledgeError, ModelCallError } from '../../../src/domain/errors.js';
import type { Lesson } from '../../../src/domain/lessons/lesson-text.js';
import { FakeLessonExtractor } from '../../fakes/fake-lesson-extractor.js';
import { FakeSummarizer } from '../../fakes/fake-summarizer.js';
import { type CoreInMemory, coreInMemory, idsFound } from '../../support/core-in-memory.js';
import { pruneAll, unretrieved } from '../../support/unretrieved.js';

const P = '/project';
const STORAGE = '.knowledge/memory/storage.md';
const REFLECTION = '.knowledge/features/f-1/reflection.md';
const WAL: Lesson = {
  category: 'storage',
  title: 'Use WAL',
  content: 'In WAL mode readers do not wait for the writer.',
};
const JSON_ERRORS: Lesson = {
  category: 'api',
  title: 'Errors are JSON',
  content: 'Every route answers an error as an object.',
};
/** {@link WAL} as feature `f-1` leaves it in the memory. */
const WAL_PARAGRAPH =
  '### Use WAL (2026-01-05)\n- **Learned:** In WAL mode readers do not wait for the writer.\n- **Feature:** f-1\n';

let extractor: FakeLessonExtractor;
let summarizer: FakeSummarizer;
let world: CoreInMemory;
let files: CoreInMemory['ports']['files'];

beforeEach(() => {
  [extractor, summarizer] = [new FakeLessonExtractor(), new FakeSummarizer()];
  world = coreInMemory({ lessons: extractor, summarizer });
  files = world.ports.files;
  world.ports.clock.set('2026-01-05T12:00:00.000Z');
  files.set('.knowledge/features/f-1/feature.json', '{"title": "Search", "description": "Fast."}');
});

const completeFeature = (id: string) => world.core.features.completeFeature(P, id);
const complete = (...lessons: readonly Lesson[]) => {
  extractor.lessons = lessons;
  return completeFeature('f-1');
};
const storeOfProject = async () => (await world.core.projects.open(P)).store;

describe('the prompt about a finished feature', () => {
  it('is title, description, the end of the output and the reflection', async () => {
    const output = `${'a'.repeat(20_000)}${'z'.repeat(19_999)}`;
    files.set('.knowledge/features/f-1/agent-output.md', output);
    files.set(REFLECTION, 'It went well.');
    await complete();
    expect(extractor.calls).toEqual([
      {
        title: 'Search',
        description: 'Fast.',
        agentOutput: `a${'z'.repeat(19_999)}`,
        reflection: 'It went well.',
      },
    ]);
  });

  it('has its id as title if feature.json is broken or missing', async () => {
    files.set('.knowledge/features/f-1/feature.json', '{');
    await complete();
    expect(extractor.calls).toEqual([
      { title: 'f-1', description: '', agentOutput: '', reflection: '' },
    ]);
  });
});

describe('the reflection of a feature', () => {
  it('is written if there is none, indexed, and found for the next feature', async () => {
    await complete(WAL);
    expect(files.text(REFLECTION)).toBe(`# Search\n\nFast.\n\n## Use WAL\n\n${WAL.content}\n`);
    const next = { title: 'Readers wait', description: 'for the writer' };
    const { section } = await world.core.features.lessonsFor(P, next);
    expect(section).toContain(WAL.content);
  });

  it('is left alone if there is one, and not written if nothing was learned', async () => {
    await complete();
    expect(files.text(REFLECTION)).toBeUndefined();
    files.set(REFLECTION, '');
    await complete(WAL);
    expect(files.text(REFLECTION)).toBe('');
  });

  it('is left alone if it was written during the model call', async () => {
    extractor.extractLessons = async () => {
      files.set(REFLECTION, 'By the agent.');
      return [WAL];
    };
    await completeFeature('f-1');
    expect(files.text(REFLECTION)).toBe('By the agent.');
  });

  it('also contains known lessons, because they are from this feature', async () => {
    await complete(WAL);
    files.set('.knowledge/features/f-2/agent-output.md', 'Done.');
    const before = world.woken();
    await completeFeature('f-2');
    expect(world.woken()).toBeGreaterThan(before);
    expect(files.text('.knowledge/features/f-2/reflection.md')).toContain(WAL.content);
  });
});

describe('a completion', () => {
  it.each([
    ['unknown', 'not_found'],
    ['../f-1', 'invalid_request'],
    ['.', 'invalid_request'],
    ['', 'invalid_request'],
  ])('is refused for the feature %j', async (id, code) => {
    await expect(completeFeature(id)).rejects.toMatchObject({ code });
    expect(extractor.calls).toEqual([]);
  });

  it('says what to do if no model is set', async () => {
    extractor.available = false;
    await expect(complete(WAL)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining('OPENAI_BASE_URL'),
    });
  });

  it('tells the user to wait after throttling, not to set variables that are set', async () => {
    extractor.failure = new ModelCallError('throttled', 'Too many requests.');
    const message = 'The small language model is overloaded; try again later.';
    await expect(complete(WAL)).rejects.toMatchObject({ code: 'model_unavailable', message });
  });

  it('keeps the cause if the model fails, and changes nothing', async () => {
    const cause = new ModelCallError('unusable', 'Garbage.');
    extractor.failure = cause;
    await expect(complete(WAL)).rejects.toMatchObject({ code: 'model_unavailable', cause });
    expect(files.text(STORAGE)).toBeUndefined();
    extractor.failure = undefined;
    expect(await complete(WAL)).toMatchObject({ added: 1 });
  });

  it('does not hide a bug behind the model', async () => {
    extractor.extractLessons = () => Promise.reject(new TypeError('A bug.'));
    await expect(complete(WAL)).rejects.toThrow(TypeError);
  });

  it('waits for the ones before it, so that several at once store a lesson once', async () => {
    const { projects } = world.core;
    const open = projects.open.bind(projects);
    let calls = 0;
    projects.open = async (path) => {
      calls += 1;
      if (calls === 1) await new Promise(setImmediate);
      return open(path);
    };
    const ids = ['f-1', 'f-2', 'f-3'];
    for (const id of ids) files.set(`.knowledge/features/${id}/feature.json`, `{"title": "${id}"}`);
    extractor.lessons = [WAL];
    const reports = await Promise.all(ids.map(completeFeature));
    expect(reports.map(({ added }) => added)).toEqual([1, 0, 0]);
    expect(extractor.calls.map(({ title }) => title)).toEqual(ids);
  });
});

describe('lessons', () => {
  it('reach their categories, are counted, indexed, and wake the enrichment', async () => {
    await world.core.projects.open(P);
    const before = world.woken();
    expect(await complete(WAL, JSON_ERRORS)).toEqual({
      lessons: 2,
      added: 2,
      duplicates: 0,
      categories: ['api', 'storage'],
      compacted: [],
    });
    expect(world.woken()).toBeGreaterThan(before);
    expect(files.text(STORAGE)).toContain(`# storage\n\n${WAL_PARAGRAPH}`);
    expect(await idsFound(world, 'WAL readers')).toContain(`${STORAGE}#0`);
  });

  it.each(['', 'Über', '../api', 'a b', 'a'.repeat(65), 'api\n'])(
    'go to the gotchas from the category %j',
    async (category) => {
      expect((await complete({ ...WAL, category })).categories).toEqual(['gotchas']);
    },
  );

  it('take one line each, for any reply of the model, and are not counted without text', async () => {
    const content = 'One\n\n## Two\r\n```\nthree\u202e\0';
    const odd = { category: 'storage', title: 'T\n# U', content };
    const blank = [
      { ...WAL, title: '\u200b' },
      { ...WAL, content: ' ' },
    ];
    expect(await complete(odd, ...blank)).toMatchObject({ lessons: 1, added: 1, duplicates: 0 });
    expect(files.text(STORAGE)).toContain(
      '# storage\n\n### T # U (2026-01-05)\n- **Learned:** One ## Two ``` three\n- **Feature:** f-1\n',
    );
  });

  it('stay out of a category that may not be read, which is said', async () => {
    files.refuse(STORAGE, 'it is a link out of the project');
    const report = await complete(WAL, JSON_ERRORS);
    expect(report).toMatchObject({ lessons: 2, added: 1, duplicates: 0, categories: ['api'] });
    expect(files.text(STORAGE)).toBeUndefined();
    const told = world.ports.logger.entries.filter(({ message }) =>
      message.includes('could not be changed'),
    );
    expect(told.map(({ fields }) => fields['category'])).toEqual(['storage']);
  });

  it.each([
    ['path_not_allowed', 1],
    ['internal', undefined],
  ] as const)('stay out of a category whose writing fails with %s', async (code, added) => {
    const replaceText = files.replaceText.bind(files);
    files.replaceText = (project, path, text) =>
      path === STORAGE
        ? Promise.reject(new KnowledgeError(code, 'No.'))
        : replaceText(project, path, text);
    const report = complete(WAL, JSON_ERRORS);
    if (added === undefined) return expect(report).rejects.toMatchObject({ code });
    expect(await report).toMatchObject({ lessons: 2, added, categories: ['api'] });
    const told = world.ports.logger.entries.filter(({ message }) =>
      message.includes('could not be changed'),
    );
    expect(told.map(({ fields }) => fields['category'])).toEqual(['storage']);
  });

  it('keep the bytes of a category that are no text in the history', async () => {
    const before = '# storage\n\nThe page size is 4\uFFFD96 bytes.\n';
    files.set(STORAGE, before);
    await complete(WAL);
    const kept = '.knowledge/memory/.history/storage-2026-01-05T12-00-00.000Z.md';
    expect(files.text(kept)).toBe(before);
  });
});

describe('a lesson that is known', () => {
  it('is not stored again, reworded a little, in another category, or at another time', async () => {
    await complete(WAL);
    const before = files.text(STORAGE);
    world.ports.clock.advance(3 * 24 * 60 * 60 * 1000);
    const reworded = { ...WAL, category: 'api', content: WAL.content.toUpperCase() };
    const report = { lessons: 2, added: 0, duplicates: 2, categories: [] };
    expect(await complete(WAL, reworded)).toMatchObject(report);
    expect(files.text(STORAGE)).toBe(before);
    expect(files.text('.knowledge/memory/api.md')).toBeUndefined();
    const store = await storeOfProject();
    const unused = await unretrieved(store);
    expect(unused.length).toBe((await store.chunks.stats()).totalChunks);
  });

  it('keeps no other lesson about the same subject out', async () => {
    await complete(WAL);
    const other = { ...WAL, content: `${WAL.content} Checkpoints wait for the slowest of them.` };
    expect(await complete(other)).toMatchObject({ added: 1, duplicates: 0 });
  });

  it('is known from a file that was never indexed, or whose chunks were pruned', async () => {
    const old = `# old\n\n#### Use WAL (2020-01-01)\n- ${WAL.content}\n`;
    files.set('.knowledge/memory/old.md', old);
    expect(await complete(WAL)).toMatchObject({ added: 0, duplicates: 1 });
    await pruneAll(await storeOfProject());
    expect(await complete(WAL)).toMatchObject({ added: 0, duplicates: 1 });
  });

  it('is known though it is longer than a chunk', async () => {
    const words = Array.from({ length: 600 }, (_, index) => `w${index}`).join(' ');
    const long = { ...WAL, content: words };
    await complete(long);
    expect(await complete({ ...long, category: 'api' })).toMatchObject({ duplicates: 1 });
  });
});

describe('a category that grew over 50,000 tokens', () => {
  const LONG = `# storage\n\n${'word '.repeat(39_000)}\n`;

  beforeEach(() => {
    summarizer.maxCharacters = 1_000_000;
    files.set(STORAGE, LONG);
  });

  it('is compacted', async () => {
    const summary = `# storage\n\n${'word '.repeat(5000)}\n\n### Use WAL (2026-01-05)\nUse it.`;
    summarizer.answer = () => summary;
    expect(await complete(WAL, JSON_ERRORS)).toMatchObject({ added: 2, compacted: ['storage'] });
    expect(files.text(STORAGE)).toBe(`${summary}\n`);
  });

  it('is not compacted if it did not grow', async () => {
    expect(await complete(JSON_ERRORS)).toMatchObject({ compacted: [] });
    expect(summarizer.calls).toEqual([]);
  });

  it.each<[string, Partial<FakeSummarizer>]>([
    ['the model is gone', { available: false }],
    ['the model fails', { failure: new ModelCallError('failed', 'Down.') }],
    ['the summary is not shorter', { answer: (text) => text }],
  ])('is kept with its lessons where %s, which is said', async (_, trouble) => {
    Object.assign(summarizer, trouble);
    expect(await complete(WAL)).toMatchObject({ added: 1, compacted: [] });
    expect(files.text(STORAGE)).toBe(`${LONG}\n${WAL_PARAGRAPH}`);
    expect(world.ports.logger.messages('warn').join()).toMatch(/compact/i);
  });
});
