import { beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { type CoreInMemory, coreInMemory, idsFound } from '../../support/core-in-memory.js';

const P = '/project';
const FILE = '.knowledge/notes/locks.md';

let world: CoreInMemory;
let clock: FixedClock;
const notes = () => world.core.notes;
const text = () => world.ports.files.text(FILE);

beforeEach(() => {
  clock = new FixedClock();
  world = coreInMemory({ clock });
});

describe('a paragraph that is appended to a note', () => {
  it('is at its end, is found at once, and leaves every property unchanged', async () => {
    await notes().addNote(P, { title: 'Old', content: 'Old.', id: 'old' });
    const properties = { tags: ['db'], importance: 0.9, expires: '2027-01-31', supersedes: 'old' };
    const note = { title: 'Locks', content: 'Writers wait.', author: 'ada', session: 's1' };
    await notes().addNote(P, { ...note, ...properties });
    const before = await notes().getNote(P, 'locks');
    clock.advance(5000);
    const changed = await notes().changeNote(P, 'locks', { append: '\nA quokka holds them.\n' });
    const content = 'Writers wait.\n\nA quokka holds them.';
    const updated = clock.now().toISOString();
    const { version } = changed;
    expect(await notes().getNote(P, 'locks')).toEqual({ ...before, content, updated, version });
    expect(text()).toMatch(/^supersedes: "old"$/m);
    expect(await idsFound(world, 'quokka')).toEqual([`${FILE}#1`]);
    expect(version).not.toBe(before.version);
  });

  it.each([
    ['that has no frontmatter', 'By hand.', 'By hand.\n\nMore.\n'],
    ['of another title', '---\ntitle: T\n---\nBy *hand*.\n\n', 'title: T\n'],
    [
      'whose frontmatter is not quite YAML',
      '---\ntitle: WAL: on\nowner: [ops\ncites:\n  - src/a.ts\n---\n# L #\nBy hand.\n',
      'title: WAL: on\nowner: [ops\ncites:\n  - src/a.ts\n',
    ],
    [
      'with comments',
      '---\n# why\nteam: ops # and dev\n---\nBy hand.',
      '# why\nteam: ops # and dev\n',
    ],
  ])('leaves a file as somebody wrote it, %s', async (_, file, kept) => {
    world.ports.files.set(FILE, file);
    await notes().changeNote(P, 'locks', { append: 'More.' });
    expect(text()).toContain(kept);
    expect(text()).toMatch(/y \*?hand\*?\.\n\nMore\.\n$/);
    expect(text()?.match(/^---$/gm)).toHaveLength(2);
  });

  it('is refused if the note has changed, if it does not exist, and if the text is blank', async () => {
    await notes().addNote(P, { title: 'Locks', content: 'Writers wait.' });
    const append = (changes: object, id = 'locks') => notes().changeNote(P, id, changes);
    const late = append({ append: 'More.', ifVersion: 'other' });
    await expect(late).rejects.toMatchObject({ code: 'changed' });
    await expect(append({ append: 'More.' }, 'none')).rejects.toMatchObject({ code: 'not_found' });
    await expect(append({ append: ' \n' })).rejects.toThrow('append must be');
    await expect(append({ append: 'a', content: 'b' })).rejects.toThrow('content and append');
    await expect(append({ append: 'a'.repeat(1_000_000) })).rejects.toThrow('at most 1000000');
    expect(text()).toMatch(/Writers wait\.\n$/);
  });
});

it('A note whose file is a link that leads out is not changed, and the answer says so', async () => {
  world.ports.files.set(FILE, 'By hand.');
  world.ports.files.refuse(FILE, 'it is a link that leads out of the project');
  const refusal = { code: 'path_not_allowed' };
  await expect(notes().changeNote(P, 'locks', { append: 'More.' })).rejects.toMatchObject(refusal);
  const replacing = notes().replaceNote(P, 'locks', { title: 'Locks', content: 'Other.' });
  await expect(replacing).rejects.toMatchObject(refusal);
});

describe('a note that is changed', () => {
  const file =
    '---\ntitle: Locks\ntags: [db]\nimportance: 0.9\ncites: [src/a.ts]\nteam: ops\n---\n# Locks\n\nText.\n';

  beforeEach(() => world.ports.files.set(FILE, file));

  it.each([
    [{ content: 'Other.' }, file.replace('Text.', 'Other.')],
    [{ title: 'Latches' }, file.replaceAll('Locks', 'Latches').replace(/: L.*$/m, ': "Latches"')],
    [{ tags: ['x'] }, file.replace('[db]', '["x"]')],
    [{ tags: [] }, file.replace('tags: [db]\n', '')],
    [{ importance: 0.1 }, file.replace('0.9', '0.1')],
    [
      { content: '---\nteam: dev\n---\n# Locks\n\nOther.' },
      file.replace('team: ops', 'team: "dev"').replace('Text.', 'Other.'),
    ],
  ])('keeps what is not given: %j', async (changes, expected) => {
    await notes().changeNote(P, 'locks', changes);
    expect(text()?.replace(/^updated: .*\n/m, '')).toBe(expected);
  });
});
