import { beforeEach, describe, expect, it } from 'vitest';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const LOCKS = { title: 'Locks', content: 'Writers wait for readers.\n\nReaders never wait.' };

let world: CoreInMemory;
const notes = () => world.core.notes;

beforeEach(() => {
  world = coreInMemory();
});

describe('a chunk similar to a note', () => {
  it('is reported with its line, its relevance and its first line, and a question', async () => {
    await notes().addNote(P, LOCKS);
    const content = 'Writers wait for readers here.';
    const { similarTo, warnings } = (await notes().addNote(P, { title: 'Locks', content })) as Told;
    expect(similarTo).toEqual([
      {
        id: '.knowledge/notes/locks.md#0',
        sourceFile: '.knowledge/notes/locks.md',
        line: 7,
        relevance: expect.any(Number),
        text: 'Writers wait for readers.',
      },
    ]);
    expect(similarTo?.[0]?.relevance).toBeGreaterThanOrEqual(0.7);
    expect(warnings).toEqual([expect.stringMatching(/locks\.md#0 .*Replace it.*\?$/)]);
  });

  it('is reported by every way to write, one of at most three, and never the note itself', async () => {
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      await notes().addNote(P, { ...LOCKS, title, force: true });
    }
    await notes().addNote(P, { title: 'Pages', content: 'Four KiB.' });
    const told = [
      await notes().replaceNote(P, 'pages', { ...LOCKS, title: 'Five' }),
      await notes().changeNote(P, 'pages', { content: LOCKS.content.toUpperCase() }),
      await notes().changeNote(P, 'pages', { append: LOCKS.content }),
    ];
    for (const { similarTo = [] } of told as Told[]) {
      expect(similarTo).toHaveLength(3);
      expect(similarTo.map(({ sourceFile }) => sourceFile)).not.toContain(
        '.knowledge/notes/pages.md',
      );
    }
  });

  it('is decided by the beginning of long notes, so that a note of 1 MB is not compared whole', async () => {
    const words = (from: number) =>
      Array.from({ length: 4000 }, (_, i) => `word${from + i}`).join(' ');
    const long = (tail: number) => ({ title: 'Long', content: `${words(0)} ${words(tail)}` });
    await notes().addNote(P, long(10_000));
    const { similarTo } = (await notes().addNote(P, long(20_000))) as Told;
    expect(similarTo).toMatchObject([{ sourceFile: '.knowledge/notes/long.md', relevance: 1 }]);
  });

  it('is not what the note supersedes, a conversation, or something else', async () => {
    await notes().addNote(P, LOCKS);
    const said = '# Session\n\n## Locks\n\nWriters wait for readers.\n\nReaders never wait.\n';
    world.ports.files.set('.knowledge/sessions/2026-01-01-claude-a.md', said);
    await world.core.store.readAllSources(P);
    const newer = { title: 'Locks', content: 'Writers wait for no readers.', supersedes: 'locks' };
    for (const note of [newer, { title: 'Pages', content: 'Four KiB each.' }]) {
      const saved = await notes().addNote(P, note);
      expect(saved).not.toHaveProperty('similarTo');
      expect(saved).not.toHaveProperty('warnings');
    }
  });
});

interface Told {
  readonly similarTo?: readonly { readonly relevance: number; readonly sourceFile: string }[];
  readonly warnings?: readonly string[];
}

const SECRETS = [
  ['an access token', 'The bot uses ghp_0123456789abcdefghijklmnopqrstuvwxyz.'],
  ['an AWS key id', 'Log in with AKIAIOSFODNN7EXAMPLE there.'],
  ['a password', 'Start it with DB_PASSWORD="hunter2 and more" before.'],
  [
    'a private key',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----',
  ],
] as const;

describe.each(SECRETS)('a note that seems to contain %s', (kind, content) => {
  const sentence = expect.stringContaining(`seems to contain ${kind}`);
  const warning = { warnings: expect.arrayContaining([sentence]) };

  it('is saved with a warning', async () => {
    expect(await notes().addNote(P, { title: 'Bot', content })).toMatchObject(warning);
    expect(world.ports.files.text('.knowledge/notes/bot.md')).toContain(content);
    await notes().addNote(P, { title: 'Other', content: 'Text.' });
    expect(await notes().replaceNote(P, 'other', { title: 'O', content })).toMatchObject(warning);
    await notes().addNote(P, { title: 'Third', content: 'Text.' });
    const appended = await notes().changeNote(P, 'third', { append: content });
    expect(appended).toMatchObject(warning);
  });

  it('is refused if so configured, and nothing is written', async () => {
    world = coreInMemory({}, { secrets: 'refuse' });
    await notes().addNote(P, { title: 'Bot', content: 'It waits.', id: 'bot' });
    const before = world.ports.files.text('.knowledge/notes/bot.md');
    const refused = { code: 'secret_found', message: expect.stringContaining(kind) };
    const writes = [
      () => notes().addNote(P, { title: 'New', content }),
      () => notes().addNote(P, { title: 'New', content, force: true }),
      () => notes().replaceNote(P, 'bot', { title: 'Bot', content }),
      () => notes().changeNote(P, 'bot', { append: content }),
      () => notes().changeNote(P, 'bot', { content }),
    ];
    for (const write of writes) await expect(write()).rejects.toMatchObject(refused);
    expect(world.ports.files.paths).toEqual(['.knowledge/notes/bot.md']);
    expect(world.ports.files.text('.knowledge/notes/bot.md')).toBe(before);
  });
});
