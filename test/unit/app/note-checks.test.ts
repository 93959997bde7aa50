import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { checkChanges, checkNewId, checkNoteText } from '../../../src/app/saved/note-checks.js';
import type { StoredNote } from '../../../src/app/saved/note-files.js';
import { NOTE_CONTENT_MAX_CHARACTERS } from '../../../src/domain/limits.js';

const parsing = { frontmatter: { parse: parseFrontmatter } };

it.each([
  [undefined, undefined],
  ['locks', 'locks'],
  ['notes/locks.md', 'locks'],
  ['Cafe\u0301', 'Café'],
])('the id %j of a new note is %j', (id, expected) => {
  expect(checkNewId(id)).toBe(expected);
});

it.each(['', '../a', 'a b'])('a new note cannot have the id %j', (id) => {
  expect(() => checkNewId(id)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      message: expect.stringMatching(/^id must consist of letters/),
    }),
  );
});

it('a note whose content has frontmatter in any notation of YAML takes its entries', () => {
  const content = '---\n{tags: [db], team: ops}\n---\nText.';
  const { content: text } = checkNoteText(parsing, { title: 'Locks', content });
  expect(text).toBe('Text.');
});

describe('the text of a changed note', () => {
  const text = '---\n{tags: [db], team: ops}\n---\n# Locks\n\nText.\n';
  const before = { title: 'Locks', content: 'Text.', text } as StoredNote;
  const change = (changes: object) =>
    checkChanges(parsing, before, { updated: '2026-01-01', supersedes: undefined, ...changes });

  it('has its other properties', () => {
    const changed = change({ content: 'Other.' });
    expect(changed).toContain('\n# Locks\n\nOther.\n');
    expect(changed).toMatch(/team: "?ops"?/);
  });

  it('may only become as long as any note, also by what is appended', () => {
    const longest = 'x'.repeat(NOTE_CONTENT_MAX_CHARACTERS - 'Text.\n\n'.length);
    expect(change({ append: longest })).toContain(`Text.\n\n${longest}`);
    expect(() => change({ append: `${longest}x` })).toThrow(/^content must /);
    expect(() => change({ content: 'x'.repeat(NOTE_CONTENT_MAX_CHARACTERS + 1) })).toThrow(
      /^content must /,
    );
    expect(() => change({ content: ' ' })).toThrow(/^content must /);
  });
});
