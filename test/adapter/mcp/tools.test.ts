import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { knowledgeTools } from '../../../src/adapters/mcp/tools/knowledge-tools.js';
import type { CallOptions } from '../../../src/app/ingestion/source-reader.js';
import { KnowledgeError } from '../../../src/domain/errors.js';
import { ANSWER, CHUNK_DETAILS, FULL_CHUNK } from '../../fakes/fake-answers.js';
import { type FakeService, fakeService } from '../../fakes/fake-service.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { connectedClient, ERAS, fakeMcpParts, textOf } from '../../support/mcp-client.js';

const P = '/project';

let store: FakeService;
let logger: SilentLogger;
let client: Client;

beforeEach(() => {
  store = fakeService();
  logger = new SilentLogger();
});
afterEach(() => client.close());

describe.each(ERAS)('a client of the era "%s"', (era) => {
  beforeEach(async () => {
    client = await connectedClient(parts(), { era });
  });

  test('lists every tool with a description, schemas and hints about its changes', async () => {
    const { tools } = await client.listTools();
    const effects = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
    expect(effects).toEqual([
      ['search', true],
      ['lessons', true],
      ['similar', true],
      ['get', true],
      ['status', true],
      ['ingest', false],
      ['save_note', false],
      ['delete_note', false],
      ['complete_feature', false],
    ]);
    for (const { title, description, inputSchema } of tools) {
      expect(title && description).toMatch(/\w+/);
      expect(Object.keys(inputSchema.properties ?? {})).toContain('project');
    }
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(10_000);
  });

  test('sees no tool that needs a language model without one', async () => {
    await client.close();
    const tools = knowledgeTools({ ...store, hasLanguageModel: false });
    client = await connectedClient({ ...parts(), tools }, { era });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('delete_note');
    expect(names).not.toContain('complete_feature');
  });

  test.each([
    ['search', { query: 'some' }],
    ['lessons', { description: 'some feature' }],
    ['similar', { text: 'some text' }],
    ['get', { id: 'docs/a.md#0' }],
    ['get', { id: 'docs/a.md:3-4' }],
    ['status', {}],
    ['ingest', {}],
    ['save_note', { title: 'A title', content: 'Some content.' }],
    ['delete_note', { id: 'a' }],
    ['complete_feature', { feature_id: 'f-1' }],
    ['search', {}],
  ])('gets one text and nothing else from %s', async (name, args) => {
    const { tools } = await client.listTools();
    expect(tools.find((tool) => tool.name === name)).not.toHaveProperty('outputSchema');
    const result = await client.callTool({ name, arguments: args });
    expect(result).not.toHaveProperty('structuredContent');
    expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(/\w/) }]);
  });

  test('gets the results of a search as fenced text', async () => {
    const result = await client.callTool({ name: 'search', arguments: { query: 'some' } });
    expect(textOf(result)).toContain(
      '```text\nid: docs/a.md#0\nfile: docs/a.md:3 (file)\nheading: A heading\nstale: `src/a.ts:4-8` has changed since 2026-01-01\ncited: `src/b.ts:4-8` has moved to 5-9\nstale: `src/c.ts` is gone\n\nSome content.\n```\n',
    );
    expect(result.isError).toBeFalsy();
  });

  test.each([
    ['search', {}, 'query must be a non-blank string.'],
    ['search', { query: 'a', project: 'here' }, 'project must be the absolute path of a project'],
    ['search', { query: 'a', max_tokens: 0 }, 'max_tokens must be a whole number from 1 to'],
    ['search', { query: 'a', maxResults: 1.5 }, 'max_results must be a whole number from 1 to'],
    ['search', { query: 'a', source_types: ['wiki'] }, 'source_types must be "all" or a list of'],
    ['lessons', { title: 7 }, 'title must be a string.'],
    ['lessons', { title: 'a', feature_id: '../x' }, 'feature_id must be a folder name.'],
    ['similar', { text: null }, 'text must be a non-blank string.'],
    ['get', { id: 7 }, 'id must be a string.'],
    ['get', {}, 'id or source_file is required.'],
    ['search', { query: 'a', min_relevance: 2 }, 'min_relevance must be a number from 0 to 1.'],
    ['delete_note', { id: '../c' }, 'id must'],
    [
      'save_note',
      { content: 'b', replace: 'locks' },
      'replace must be true or false, not "locks"; put the id of the note into id (a search shows ids).',
    ],
    [
      'save_note',
      { id: 'a', content: 'b', append: 'More text.' },
      'append must be true or false, not "More text."; put the text into content, and the id of the note into id (a search shows ids).',
    ],
    ['save_note', { title: 'a', content: 'b', replace: true }, 'id is required to change a note.'],
    ['save_note', { content: 'b', append: 'true' }, 'id is required to change a note.'],
    ['save_note', { content: 'b' }, 'title is required for a new note.'],
    ['save_note', { title: ' ', content: 'a' }, 'title must be a non-blank string.'],
    ['save_note', { title: 'a', content: 'b', id: '../c' }, 'id must'],
  ])('gets a sentence for %s with %o', async (name, args, sentence) => {
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(sentence);
    expect(textOf(result).split('\n')).toHaveLength(1);
    expect(store.calls).toEqual([]);
  });
});

describe('a tool', () => {
  beforeEach(async () => {
    client = await connectedClient(parts());
  });

  test('passes its arguments to the service, in either spelling', async () => {
    const options = {
      maxResults: 3,
      maxTokens: 1_000_000,
      sourceTypes: ['file'],
    };
    const filter = { tags: ['t'], min_relevance: 0.5 };
    await call('search', { query: 'q', max_results: 3, source_types: ['file'], ...filter });
    await call('search', { query: 'q', maxResults: 3, sourceTypes: ['file'], projectPath: '/b' });
    await call('similar', { text: 't', source_file: 'a.md' });
    await call('lessons', { title: 't', feature_id: 'f-1', max_results: 2 });
    expect(store.calls).toEqual([
      {
        method: 'search.read',
        args: [{ projectPath: P, query: 'q', ...options, tags: ['t'], minRelevance: 0.5 }],
      },
      { method: 'search.read', args: [{ projectPath: '/b', query: 'q', ...options }] },
      {
        method: 'search.similar',
        args: [{ projectPath: P, text: 't', sourceFile: 'a.md', maxResults: 10 }],
      },
      {
        method: 'lessons.find',
        args: [{ projectPath: P, title: 't', featureId: 'f-1', maxResults: 2 }],
      },
    ]);
  });

  test('reads values that are sent as text, and treats empty ones as absent', async () => {
    const empty = { tags: [''], source_types: '', project: '', min_relevance: 'null' };
    await call('search', { query: 'q', max_results: '3', ...empty });
    await call('search', { query: '7', tags: '["a"]', include_superseded: 'True' });
    await call('lessons', { title: 't', feature_id: '' });
    await call('save_note', {
      title: 't',
      content: 'c',
      supersedes: '',
      id: '',
      importance: '0.7',
    });
    const limits = { maxResults: 5, maxTokens: 1_000_000 };
    const search = { projectPath: P, ...limits };
    expect(store.calls.map(({ args: [request] }) => request)).toEqual([
      { ...search, query: 'q', maxResults: 3 },
      { ...search, query: '7', tags: ['a'], includeSuperseded: true },
      { projectPath: P, title: 't' },
      { projectPath: P, title: 't', content: 'c', importance: 0.7 },
    ]);
  });

  test('shows weak results in a few lines, and in full on request', async () => {
    const results = Array.from({ length: 10 }, (_, i) => ({
      chunk: {
        ...FULL_CHUNK,
        id: `docs/a-rather-long-name.md#${i}`,
        content: 'word `` ` '.repeat(90),
      },
      score: 1,
      relevance: 0.4 - i / 100,
    }));
    const note = { code: 'not_relevant', sentence: 'This is probably not about it.' } as const;
    const explanation = { ...ANSWER.explanation, notes: [note] };
    Object.assign(store.search, {
      read: async () => ({ ...ANSWER, results, explanation, weak: true, leftOut: 0 }),
    });
    const short = await call('search', { query: 'word' });
    expect(textOf(short)).toMatch(
      /^This is probably not about it\..*```text\ndocs\/a-rather-long-name.md#0 \(0.40\): word/s,
    );
    expect(
      Math.max(textOf(short).length / 4, textOf(short).split(/\s+/).length * 1.3),
    ).toBeLessThanOrEqual(300);
    expect(textOf(await call('search', { query: 'word', min_relevance: 0 }))).toContain(
      '10 results',
    );
  });

  test('shows weak results of several projects in the same few lines', async () => {
    const results = [{ projectPath: '/other', chunk: FULL_CHUNK, score: 1, relevance: 0.4 }];
    const skipped = [{ projectPath: '/gone', reason: 'It is gone.' }];
    const search = async () => ({ results, skipped, totalTokens: 9 });
    Object.assign(store, { projectsSearch: { search } });
    await client.close();
    client = await connectedClient(parts());
    const weak = textOf(await call('search', { query: 'word', projects: ['/other', '/gone'] }));
    expect(weak).toMatch(
      /^Probably no answer here: the best result has a relevance of 0\.40\. \/gone was not/,
    );
    expect(weak).toContain(`\n/other: ${FULL_CHUNK.id} (0.40): `);
    const all = { query: 'word', projects: ['/other'], min_relevance: 0 };
    expect(textOf(await call('search', all))).toContain('1 result, best first.');
  });

  test('asks for no more results than it has room for, because each counts as retrieved', async () => {
    await call('search', { query: 'q', max_results: 50, max_tokens: 400 });
    expect(store.calls.at(-1)?.args[0]).toMatchObject({ maxResults: 5 });
  });

  test('says what the status and an ingestion are', async () => {
    const status = await call('status', {});
    expect(textOf(status)).toContain(`Project: ${P}\n2 chunks of 1 file`);
    expect(textOf(status)).toContain('\nThe project is being indexed for the first time.\n');
    expect(textOf(status)).toContain('\nNot read: docs/build/; ingest says why.');
    expect(textOf(await call('ingest', {}))).toContain('The index holds');
    expect(store.calls.map(({ method }) => method)).toContain('indexing.ingest');
  });

  test('never calls a file not read that was read in part, and says why', async () => {
    const reason = 'its frontmatter is not valid YAML';
    const skipped = [
      { sourceFile: 'a.md', reason, isRead: true },
      { sourceFile: 'b.md', reason: 'it is not text' },
    ];
    Object.assign(store.sources, { skipped: async () => skipped });
    Object.assign(store.indexing, { ingest: async () => ({ indexed: 1, removed: 0, skipped }) });
    const status = textOf(await call('status', {}));
    expect(status).toContain('\nNot read: b.md; ingest says why.\nRead in part: a.md; ingest says');
    const ingested = textOf(await call('ingest', {}));
    expect(ingested).toContain(`a.md (read in part): ${reason}`);
    expect(ingested).toContain('b.md: it is not text');
  });

  test('shows a chunk whole, with its questions and neighbours', async () => {
    const result = await call('get', { id: 'docs/a.md#0' });
    expect(textOf(result)).toContain('\n\nSome content.\n```\n');
    for (const { id: near } of CHUNK_DETAILS.neighbours) expect(textOf(result)).toContain(near);
    expect(store.calls).toEqual([
      { method: 'sources.chunk', args: [{ projectPath: P, id: 'docs/a.md#0' }] },
    ]);
  });

  test('shows as much of a chunk as the budget allows', async () => {
    const result = await call('get', { id: 'docs/a.md#0', max_tokens: 1 });
    expect(textOf(result).length / 4).toBeLessThan(1.25 + 100);
  });

  test('shows lines of a file, however they are named', async () => {
    for (const [args, request] of [
      [{ id: 'docs/a.md:3-4' }, { sourceFile: 'docs/a.md:3-4' }],
      [
        { source_file: 'docs/a.md', from: 3, to: 4 },
        { sourceFile: 'docs/a.md', from: 3, to: 4 },
      ],
      [{ sourceFile: 'docs/a.md:3-4' }, { sourceFile: 'docs/a.md:3-4' }],
    ] as const) {
      const result = await call('get', args);
      expect(textOf(result)).toContain('lines: 3 to 4 of 9\n\nThe text\nof two lines.\n');
      expect(store.calls.at(-1)?.args).toEqual([{ projectPath: P, ...request }]);
    }
  });

  test('names the lines that it returns, and where to continue', async () => {
    const text = Array.from({ length: 900 }, (_, i) => `line ${i + 1}`).join('\n');
    const lines = async () => ({ sourceFile: 'a.md', from: 1, to: 900, lines: 900, text });
    Object.assign(store.sources, { lines });
    const given = textOf(await call('get', { id: 'a.md', max_tokens: 300 }));
    const [, to] = /^lines: 1 to (\d+) of 900$/m.exec(given) ?? [];
    expect(given).toMatch(new RegExp(`^line ${to}\n\`\`\`$`, 'm'));
    expect(given).toContain(`continue with from: ${Number(to) + 1}.`);
    const long = async () => ({ ...(await lines()), to: 1, lines: 1, text: 'word '.repeat(900) });
    Object.assign(store.sources, { lines: long });
    const cut = textOf(await call('get', { id: 'a.md', max_tokens: 300 }));
    const [, column] =
      /continue with from: 1, column: (\d+), because line 1 is cut\.$/m.exec(cut) ?? [];
    expect(Number(column)).toBeGreaterThan(100);
    const rest = textOf(await call('get', { id: 'a.md', column: 4491 }));
    expect(rest).toMatch(/\n\nword word/);
    expect(rest).not.toContain('There is more');
  });

  test.each([
    ['tags', 'a, b', ['a', 'b']],
    ['tags', "['a', 'b']", ['a', 'b']],
    ['tags', '[a, b]', ['a', 'b']],
    ['tags', '"a"', ['a']],
    ['paths', 'docs/*.{md,mdx}, notes/**', ['docs/*.{md,mdx}', 'notes/**']],
    ['tags', 'deploy', ['deploy']],
    ['tags', '["a", "b"]', ['a', 'b']],
    ['source_types', 'file', ['file']],
    ['source_types', 'file,url,', ['file', 'url']],
    ['source_types', 'all', 'all'],
    ['paths', 'docs, src', ['docs', 'src']],
  ])('reads a list that is one text: %s %j', async (name, given, meant) => {
    await call('search', { query: 'q', [name]: given });
    const field = name === 'source_types' ? 'sourceTypes' : name;
    expect(store.calls.at(-1)?.args[0]).toMatchObject({ [field]: meant });
  });

  test('replaces and deletes notes, and keeps the lessons of a feature', async () => {
    const note = { title: 'A title', content: 'Some content.' };
    await call('save_note', { ...note, id: 'a', replace: true });
    await call('delete_note', { id: 'a' });
    const done = await call('complete_feature', { feature_id: 'f-1' });
    expect(textOf(done)).toMatch(/lessons added/);
    expect(store.calls).toEqual([
      { method: 'notes.change', args: [{ projectPath: P, id: 'a', ...note }] },
      { method: 'notes.delete', args: [{ projectPath: P, id: 'a' }] },
      { method: 'completion.complete', args: [{ projectPath: P, featureId: 'f-1' }] },
    ]);
  });

  test('reports the progress of an ingestion, and stops when it is cancelled', async () => {
    const seen: unknown[] = [];
    const onprogress = (progress: unknown) => void seen.push(progress);
    await client.callTool({ name: 'ingest', arguments: {} }, { onprogress });
    const { onProgress, signal } = optionsIn(store);
    onProgress?.({ done: 1, total: 2 });
    expect(signal?.aborted).toBe(false);
    const stop = new AbortController();
    const release = store.hold();
    const cancelled = client.callTool({ name: 'ingest', arguments: {} }, { signal: stop.signal });
    cancelled.catch(() => undefined);
    await store.called(2);
    stop.abort();
    await expect(cancelled).rejects.toThrow();
    await expect.poll(() => optionsIn(store).signal?.aborted).toBe(true);
    release();
  });

  test('saves a note, or names the chunk that already says the same', async () => {
    const note = { title: 'A title', content: 'Some content.', tags: ['a'] };
    const saved = await call('save_note', { ...note, force: true });
    expect(textOf(saved)).toMatch(/^Saved as /);
    const known = await call('save_note', note);
    expect(textOf(known)).toContain(`${FULL_CHUNK.id} already says this`);
    expect(store.calls.map(({ args }) => args)).toEqual([
      [{ projectPath: P, ...note, force: true }],
      [{ projectPath: P, ...note }],
    ]);
  });

  test('names its own arguments in the errors of the service', async () => {
    store.failWith(new KnowledgeError('project_not_found', 'projectPath is not a directory.'));
    const result = await call('search', { query: 'q' });
    expect(textOf(result)).toBe('project is not a directory.');
    expect(result.isError).toBe(true);
  });

  test('says nothing of a bug, which the log has', async () => {
    store.failWith(new Error('SELECT * FROM secrets'));
    const result = await call('search', { query: 'q' });
    expect(textOf(result)).toBe('The service failed because of a bug; its log has the details.');
    expect(result.isError).toBe(true);
    expect(logger.messages('error')).toHaveLength(1);
  });
});

// Helpers

function parts() {
  return { ...fakeMcpParts(store), directory: P, version: '1.2.3', logger };
}

function optionsIn({ calls }: FakeService): CallOptions {
  return calls.at(-1)?.args[1] as CallOptions;
}

function call(name: string, args: Readonly<Record<string, unknown>>) {
  return client.callTool({ name, arguments: { ...args } });
}
