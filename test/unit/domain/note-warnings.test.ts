import { expect, it } from 'vitest';
import {
  lineEndWarnings,
  NAME_CHARACTERS,
  secretRefusal,
  secretWarning,
  similarWarning,
} from '../../../src/domain/saved/note-warnings.js';

it('similar notes are named in a question, one or more of them', () => {
  expect(similarWarning([])).toBeUndefined();
  expect(similarWarning(['a'])).toBe(
    'a is similar: check whether it says the same or the opposite. Replace it, or delete one of the two?',
  );
  expect(similarWarning(['a', 'b'])).toBe(
    'a, b are similar: check whether they say the same or the opposite. Replace or delete one of them?',
  );
});

it('a long name, or one of several lines, cannot contain a message', () => {
  const warning = similarWarning([`a\n${'b'.repeat(500)}`]) ?? '';
  expect(warning).not.toContain('\n');
  expect(warning.indexOf(' is similar')).toBeLessThanOrEqual(NAME_CHARACTERS);
});

it('secrets are named with their article, whether warned about or refused', () => {
  expect(secretWarning(['API key'])).toBe(
    'The note seems to contain an API key: if it is real, remove it from the note, because everyone who can read the project can read it.',
  );
  expect(secretWarning(['private key', 'API key', 'password'])).toContain(
    'a private key, an API key and a password: if',
  );
  expect(secretRefusal(['password'])).toBe(
    'Nothing was saved: the note seems to contain a password, which KNOWLEDGE_SECRETS=refuse forbids; save it without the secret.',
  );
});

it('literal line breaks are reported, real ones and no text are not', () => {
  expect(lineEndWarnings('a\\nb\\nc')[0]).toMatch(/^The text had no line breaks, only literal \\n/);
  expect(lineEndWarnings('a\nb\nc')).toEqual([]);
  expect(lineEndWarnings()).toEqual([]);
});
