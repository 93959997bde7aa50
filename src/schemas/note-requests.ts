import * as z from 'zod';
import { FIELDS } from '../domain/fields.js';
import { TAG_MAX_CHARACTERS, TAGS_MAX } from '../domain/limits.js';
import { flag, importance, projectPath, tags, text, textFor } from './fields.js';

export const noteId = textFor(FIELDS.id).describe('Name of the file of the note, without ".md".');

/** The fields of a note. */
const noteFields = {
  projectPath,
  title: text.describe('Title; a line break becomes a space.'),
  content: text.describe('The note, in markdown.'),
  tags: tags
    .describe(`Tags, at most ${TAGS_MAX} of at most ${TAG_MAX_CHARACTERS} characters.`)
    .exactOptional(),
  importance: importance.describe('Importance from 0 to 1; default 0.5.').exactOptional(),
  supersedes: textFor(FIELDS.supersedes)
    .describe('Id of the note that this one replaces: searches no longer find that.')
    .exactOptional(),
} as const;

export const addNoteRequest = z.object({
  ...noteFields,
  id: noteId
    .describe('Id of the note and name of its file; default: made from the title.')
    .exactOptional(),
  force: flag
    .describe('Whether to save the note even if the store already says the same; default false.')
    .exactOptional(),
});

export const replaceNoteRequest = z.object({ ...noteFields, id: noteId });

export const deleteNoteRequest = z.object({ projectPath, id: noteId });
