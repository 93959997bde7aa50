import { beforeEach, expect, it } from 'vitest';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const FILE = '.knowledge/notes/locks.md';

let world: CoreInMemory;
let attempts: number;

/** Another program changes the file before each of so many writes. */
function interfere(times: number): void {
  const { files } = world.ports;
  const replaceText = files.replaceText.bind(files);
  files.replaceText = async (project, path, replacement) => {
    attempts += 1;
    if (attempts <= times) files.set(FILE, `# Locks\n\nEdit ${attempts}.\n`);
    return replaceText(project, path, replacement);
  };
}

beforeEach(async () => {
  attempts = 0;
  world = coreInMemory();
  await world.core.notes.addNote(P, { title: 'Locks', content: 'Writers wait.' });
});

const append = () => world.core.notes.changeNote(P, 'locks', { append: 'Readers never do.' });

it('a change of a note whose file changes meanwhile is made to the new text', async () => {
  interfere(4);
  expect(await append()).toMatchObject({ id: 'locks' });
  expect(attempts).toBe(5);
  expect(world.ports.files.text(FILE)).toContain('\n# Locks\n\nEdit 4.\n\nReaders never do.\n');
});

it('a change of a note is refused if its file keeps changing', async () => {
  interfere(Number.POSITIVE_INFINITY);
  await expect(append()).rejects.toMatchObject({
    code: 'store_unavailable',
    message: 'The note is being changed by another program; try again shortly.',
  });
  expect(attempts).toBe(5);
  expect(world.ports.files.text(FILE)).toBe('# Locks\n\nEdit 5.\n');
});

it('a part of a note does not replace it', async () => {
  const cut = `\`\`\`text\nfile: ${FILE}\nlines: 1 to 2 of 9\n\n# Locks\n\`\`\``;
  const changing = world.core.notes.changeNote(P, 'locks', { content: cut });
  await expect(changing).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('shows only part of the note "locks"'),
  });
});
