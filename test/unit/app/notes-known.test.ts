import { beforeEach, describe, expect, it } from 'vitest';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const LOCKS = { title: 'Locks', content: 'Writers wait for readers in this mode.' };

let world: CoreInMemory;
const fileOf = (id: string) => `.knowledge/notes/${id}.md`;

beforeEach(() => {
  world = coreInMemory();
});

describe('a note that says what is known', () => {
  it('is not added, and names the chunk', async () => {
    await world.core.notes.addNote(P, { ...LOCKS, title: 'How locks work' });
    const same = { title: 'How  locks work', content: LOCKS.content.toUpperCase() };
    const duplicateOf = `${fileOf('how-locks-work')}#0`;
    expect(await world.core.notes.addNote(P, same)).toEqual({ duplicateOf });
    expect(world.ports.files.paths).toEqual([fileOf('how-locks-work')]);
  });

  it('is added if that is what the caller wants', async () => {
    await world.core.notes.addNote(P, LOCKS);
    expect(await world.core.notes.addNote(P, { ...LOCKS, force: true })).toMatchObject({
      id: 'locks-2',
    });
    expect(await world.core.notes.addNote(P, { ...LOCKS, force: false })).toHaveProperty(
      'duplicateOf',
    );
  });

  it('is recognized where the other note has several chunks', async () => {
    const content = '## Readers\nNobody waits for any of them.\n\n## Writers\nOne after the other.';
    const first = await world.core.notes.addNote(P, { title: 'Waiting', content });
    expect(first).toMatchObject({ chunks: 2 });
    const again = await world.core.notes.addNote(P, { title: 'Waiting', content });
    expect(again).toMatchObject({ duplicateOf: expect.stringContaining(fileOf('waiting')) });
    const part = await world.core.notes.addNote(P, {
      title: 'Readers',
      content: 'Nobody waits for any of them.',
    });
    expect(part).toEqual({ duplicateOf: `${fileOf('waiting')}#0` });
  });

  it('is recognized as one of the lessons of a category', async () => {
    world.ports.files.set(
      '.knowledge/memory/db.md',
      '### Locks (2026-01-01)\n- **Learned:** Writers wait for every reader in this mode.\n\n### Checkpoints (2026-01-02)\n- **Learned:** Readers never do them.\n',
    );
    await world.core.store.readAllSources(P);
    const note = { title: 'Checkpoints', content: 'Readers never do them.' };
    expect(await world.core.notes.addNote(P, note)).toMatchObject({
      duplicateOf: expect.stringContaining('memory/db.md'),
    });
  });

  it('is added where the other note has gone or may not be read', async () => {
    const content = '## Readers\nNobody waits for any of them.\n\n## Writers\nOne after the other.';
    await world.core.notes.addNote(P, { title: 'Waiting', content });
    world.ports.files.refuse(fileOf('waiting'), 'no permission');
    const again = await world.core.notes.addNote(P, { title: 'Waiting', content });
    expect(again).toMatchObject({ id: 'waiting-2' });
  });

  it('is not compared as a whole with the files of the project', async () => {
    const content = '## Readers\nNobody waits for any of them.\n\n## Writers\nOne after the other.';
    world.ports.files.set('docs/waiting.md', `# Waiting\n\n${content}\n`);
    await world.core.store.readAllSources(P);
    world.ports.files.reads.length = 0;
    expect(await world.core.notes.addNote(P, { title: 'Waiting', content })).toHaveProperty('id');
    expect(world.ports.files.reads).not.toContain('docs/waiting.md');
  });

  it('is added once by two calls at the same time', async () => {
    const calls = [1, 2].map(() => world.core.notes.addNote(P, LOCKS));
    expect((await Promise.all(calls)).map((saved) => 'duplicateOf' in saved)).toEqual([
      false,
      true,
    ]);
  });
});
