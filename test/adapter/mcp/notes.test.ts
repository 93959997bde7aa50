import { beforeEach, describe, expect, it } from 'vitest';
import { knowledgeTools } from '../../../src/adapters/mcp/tools/knowledge-tools.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const FILE = '.knowledge/notes/locks.md';
const LONG = Array.from({ length: 120 }, (_, i) => `Writer ${i} waits for readers.`).join('\n');

let world: CoreInMemory;
let clock: FixedClock;

beforeEach(() => {
  clock = new FixedClock();
  world = coreInMemory({ clock });
});

describe('a note as agents see it', () => {
  it.each([
    ['search', { query: 'writers wait' }],
    ['get', { id: `${FILE}#0` }],
    ['get', { source_file: FILE }],
    ['get', { source_file: `${FILE}#0` }],
    ['get', { id: 'locks' }],
    ['get', { source_file: 'locks.md' }],
  ])('says its version and when it was changed: %s %j', async (name, args) => {
    const { version } = await saved({ content: 'Writers wait.' });
    expect(await call(name, args)).toMatch(
      new RegExp(`^version: ${version}\nupdated: 2026-01-01 \\(.* ago\\)$`, 'm'),
    );
  });

  it('says nothing of the kind about another file', async () => {
    world.ports.files.set('docs/a.md', '# Locks\n\nWriters wait.\n');
    await call('ingest');
    const texts = [
      await call('search', { query: 'writers' }),
      await call('get', { id: 'docs/a.md#0' }),
    ];
    for (const text of texts) expect(text).not.toMatch(/^(?:version|updated): /m);
  });

  it.each([
    [{ id: `${FILE}#0` }, 'Writers wait.'],
    [{ id: `${FILE}#0` }, '### Deep\n\nBelow.'],
    [{ source_file: FILE }, 'Writers wait.\n\nReaders read.'],
    [{ source_file: FILE }, '## Why\n\nReaders read.\n\n## How\n\nIn turns.'],
    [{ source_file: FILE }, '```sh\nls\n```\n\nAbove is a command.'],
  ])('can be given back without a loss: %j %j', async (read, content) => {
    await saved({ content });
    const before = world.ports.files.text(FILE);
    await call('save_note', { id: 'locks', content: await call('get', read), replace: true });
    expect(world.ports.files.text(FILE)).toBe(before);
  });

  it.each([
    ['get', { id: `${FILE}#0`, max_tokens: 200 }],
    ['get', { source_file: FILE, max_tokens: 200 }],
    ['get', { source_file: `${FILE}:1-3` }],
    ['search', { query: 'writer', max_tokens: 300 }],
  ])('is not taken for the note if it is only a part: %s %j', async (name, args) => {
    await saved({ content: LONG });
    await expectRefused(await call(name, args));
  });

  it.each([
    ['one of its chunks', '## One\n\nWriters wait.\n\n## Two\n\nReaders read.'],
    ['its text without its heading', '## One\n\nWriters wait.'],
    ['a paragraph', 'Writers wait.\n\nReaders read.'],
  ])('is not taken for the note if it is %s', async (_, content) => {
    await saved({ content });
    await expectRefused(await call('get', { id: `${FILE}#0` }));
  });
});

it('names what a search finds if there are no lessons', async () => {
  world.ports.files.set('docs/a.md', '# Wombats\n\nThe wombat deploys on Tuesdays.\n');
  await call('ingest');
  expect(await call('lessons', { title: 'wombat deploys' })).toContain(
    'the best match is docs/a.md#0.',
  );
  expect(await call('lessons', { title: 'zebra' })).toMatch(
    /search also covers documents and notes\.$/,
  );
});

it.each([
  ['lessons', { title: 'wombat digs' }],
  ['similar', { text: 'wombat digs' }],
])('%s looks into a project that was never indexed', async (name, args) => {
  const { indexing } = world.useCases;
  // As in a project with a watch.
  Object.assign(indexing, { begin: async () => void (await indexing.ingest({ projectPath: P })) });
  world.ports.files.set(
    '.knowledge/features/f-1/reflection.md',
    '## Wombats\n\nThe wombat digs.\n',
  );
  expect(await call(name, args)).toContain('The wombat digs.');
});

it('leaves out the source to which a file is a link', async () => {
  world.ports.files.set('AGENTS.md', '# Wombats\n\nThe wombat digs.\n');
  world.ports.files.link('CLAUDE.md', 'AGENTS.md');
  world.ports.files.set('docs/copy.txt', '# Wombats\n\nThe wombat digs.\n');
  await call('ingest');
  for (const sourceFile of ['CLAUDE.md', './CLAUDE.md', `${P}/CLAUDE.md`, 'AGENTS.md']) {
    const answer = await call('similar', { text: 'wombat', source_file: sourceFile });
    expect({ sourceFile, answer }).toEqual({ sourceFile, answer: 'Nothing similar was found.' });
  }
  expect(await call('similar', { text: 'wombat', source_file: 'docs/copy.txt' })).toContain(
    'AGENTS',
  );
});

it.each([
  [{ expires: '2025-12-31' }, /it has expired, so searches leave it out\./],
  [{ expires: '2026-01-01' }, /it has expired, so searches leave it out\./],
  [{ expires: '2026-01-02' }, /searches find it now\./],
])('says whether searches find a note: %j', async (expiry, expected) => {
  const note = { id: 'locks', title: 'Locks', content: 'Writers wait.' };
  expect(await call('save_note', { ...note, ...expiry })).toMatch(expected);
  expect(await call('save_note', { id: 'locks', content: 'Now.', append: true })).toMatch(expected);
});

it('shows no more of a name in a sentence than a name needs', async () => {
  const name = `${'SYSTEM run curl '.repeat(14)}.md`;
  world.ports.files.set(`docs/${name}`, '# Locks\n\nWriters wait.\n');
  await call('ingest');
  const answer = await call('save_note', { title: 'Locks', content: 'Writers wait.' });
  expect(answer).toMatch(/^Nothing was saved: .{1,120} already says this/);
});

it('shows no more of the names of similar notes', async () => {
  const name = 'SYSTEM run curl '.repeat(14);
  const text = 'The cache of the okapi is flushed at midnight by the scheduler of the zoo.';
  for (const id of ['a', 'b']) {
    world.ports.files.set(`.knowledge/notes/${id}${name}.md`, `---\ntitle: A\n---\n\n${text}\n`);
  }
  await call('ingest');
  const answer = await call('save_note', { title: 'Cache', content: `${text} Often.` });
  expect(answer).toMatch(/searches find it now\. (\S.{0,119}, )?\S.{0,119} (is|are) similar: /);
});

it('shows no more of the name of a note that it deletes', async () => {
  const id = 'SYSTEM run curl '.repeat(14).trim();
  world.ports.files.set(`.knowledge/notes/${id}.md`, '---\ntitle: A\n---\n\nWriters wait.\n');
  await call('ingest');
  expect(await call('delete_note', { id })).toMatch(/^The note .{1,120} was deleted\.$/);
});

describe('the status for an agent', () => {
  it('lists notes that have expired', async () => {
    await saved({ content: 'Writers wait.', expires: '2026-01-01' });
    expect(await call('status')).toMatch(new RegExp(`^Expired: ${FILE}; `, 'm'));
    expect(await world.useCases.status.status({ projectPath: P })).toMatchObject({
      expired: [FILE],
    });
  });

  it('has no line about them if there are none', async () => {
    await saved({ content: 'Writers wait.', expires: '2026-01-02' });
    expect(await call('status')).not.toContain('Expired');
    expect(await world.useCases.status.status({ projectPath: P })).not.toHaveProperty('expired');
  });
});

async function saved(note: object): Promise<{ readonly version: string }> {
  await call('save_note', { title: 'Locks', ...note });
  return world.core.notes.getNote(P, 'locks');
}

async function expectRefused(content: string): Promise<void> {
  const before = world.ports.files.text(FILE);
  await expect(call('save_note', { id: 'locks', content, replace: true })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('only part'),
  });
  expect(world.ports.files.text(FILE)).toBe(before);
}

async function call(name: string, args: object = {}): Promise<string> {
  const tool = knowledgeTools({ ...world.useCases, hasLanguageModel: true }).find(
    (one) => one.name === name,
  );
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool.prepare(args).run(P, {});
}
