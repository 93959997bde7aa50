import * as z from 'zod';
import { NAME_MAX_CHARACTERS, TAG_MAX_CHARACTERS, TAGS_MAX } from '../domain/limits.js';
import { isDay } from '../domain/saved/note-dates.js';
import { isNoteReference, NOTE_REFERENCE_RULE } from '../domain/saved/note-names.js';
import type { Request } from './checks.js';
import {
  anyText,
  count,
  flag,
  importance,
  list,
  named,
  oneValue,
  projectPath,
  tags,
  text,
  textWith,
} from './fields.js';

/** Notes: added, listed, shown, replaced and deleted (docs/specification.md, "Knowledge in"). */

const chunks = count('Number of its chunks in the index.');

const noteId = textWith(isNoteReference, NOTE_REFERENCE_RULE).describe('Id or file of the note.');

const noteFields = {
  projectPath,
  title: text.describe('Title; a line break becomes a space.'),
  content: text.describe('The note, in Markdown.'),
  tags: tags
    .describe(`At most ${TAGS_MAX} tags of at most ${TAG_MAX_CHARACTERS} characters.`)
    .exactOptional(),
  importance: importance.describe('Importance from 0 to 1; default 0.5.').exactOptional(),
  supersedes: textWith(isNoteReference, NOTE_REFERENCE_RULE)
    .describe('Id of the note that this one replaces.')
    .exactOptional(),
  expires: textWith(isDay, 'must be a day such as "2026-12-31"')
    .describe('Day from which searches leave it out: 2026-12-31.')
    .exactOptional(),
} as const;

const name = text.refine(({ length }) => length <= NAME_MAX_CHARACTERS, {
  error: `must have at most ${NAME_MAX_CHARACTERS} characters`,
});

/** The author and the session of a note, if the client names them. */
const origin = {
  author: name.describe('Author of the note.').exactOptional(),
  session: name.describe('Id of the session.').exactOptional(),
} as const;

const scope = oneValue(['project', 'user']);

const version = z.string().describe('Short hash of its file.');

const ifVersion = anyText.describe('Change nothing if the version differs.').exactOptional();

export const addNoteRequest = z.object({
  ...noteFields,
  ...origin,
  id: noteId.describe('Name of its file; default: from the title.').exactOptional(),
  scope: scope.describe('user: for all projects. Default: project.').exactOptional(),
  force: flag.describe('Save it even if a chunk says the same.').exactOptional(),
});

export type AddNoteRequest = Request<typeof addNoteRequest>;

export const replaceNoteRequest = z.object({
  ...noteFields,
  id: noteId,
  ifVersion,
});

export type ReplaceNoteRequest = Request<typeof replaceNoteRequest>;

export const changeNoteRequest = z.object({
  ...noteFields,
  id: noteId,
  title: noteFields.title.exactOptional(),
  content: noteFields.content.describe('New text of the note, in Markdown.').exactOptional(),
  append: text.describe('A paragraph to append, in Markdown.').exactOptional(),
  ifVersion,
});

export type ChangeNoteRequest = Request<typeof changeNoteRequest>;

export const deleteNoteRequest = z.object({ projectPath, id: noteId, ifVersion });

export type DeleteNoteRequest = Request<typeof deleteNoteRequest>;

const id = z.string().describe('Id of the note.');
const sourceFile = z.string().describe('Its file, relative to the project.');

export const similarChunk = named(
  'SimilarChunk',
  'An existing chunk with nearly the same content.',
  {
    id: z.string().describe('Id of the chunk.'),
    sourceFile,
    line: z.number().describe('Line on which it begins.'),
    relevance: z.number().describe('From 0.7 to 1.'),
    text: z.string().describe('Its first line.'),
  },
);

export const savedNote = z
  .object({
    id,
    sourceFile,
    chunks,
    version,
    similarTo: z
      .array(similarChunk)
      .optional()
      .describe('At most three existing chunks with nearly the same content, best first.'),
    warnings: z.array(z.string()).optional().describe('Warnings about the note, as sentences.'),
    expired: z
      .literal(true)
      .optional()
      .describe('Present if the note has expired, so that searches leave it out.'),
  })
  .meta({ id: 'SavedNote', description: 'A saved note.' });

export const knownNote = z.object({
  duplicateOf: z
    .string()
    .describe('Id of an existing chunk that says the same; nothing was saved.'),
});

const record = {
  id,
  sourceFile,
  title: z.string().describe('Its title.'),
  tags: z.array(z.string()).optional().describe('Its tags; absent if it has none.'),
  created: z
    .string()
    .optional()
    .describe('ISO 8601 time when it was first saved; absent if its file does not say.'),
  updated: z.string().describe('ISO 8601 time when it was last changed.'),
  version,
  expires: z.string().optional().describe('Day from which searches leave it out.'),
  supersededBy: z
    .string()
    .optional()
    .describe('Id of the note that supersedes it; absent if none does.'),
  stale: z
    .literal(true)
    .optional()
    .describe('Present only if a cited file has changed or is gone.'),
  scope: z.enum(['project', 'user']).describe('Whether it belongs to the project or to the user.'),
} as const;

export const notesRequest = z.object({
  projectPath,
  scope: scope.describe('Whose notes to list; default: project.').exactOptional(),
});

export type NotesRequest = Request<typeof notesRequest>;

export const noteList = z.object({
  notes: list(named('Note', 'A note, as its file describes it.', record), 'Newest first.'),
});

export const noteRequest = z.object({ projectPath, id: noteId });

export type NoteRequest = Request<typeof noteRequest>;

export const fullNote = z
  .object({
    ...record,
    content: z.string().describe('The note, in Markdown, without its title.'),
    importance: z.number().describe('Importance from 0 to 1.'),
    author: z.string().optional().describe('Author of the note; absent if unknown.'),
    session: z.string().optional().describe('Id of the session in which it was written.'),
  })
  .meta({ id: 'FullNote', description: 'A note with its content.' });

export const deletedNote = z.object({ deleted: count('Number of deleted chunks.') });

/**
 * Title and content may be blank here. The content may begin with the title, so both are checked when the note is
 * parsed.
 */
export const looseAddNoteRequest = addNoteRequest.extend({ title: anyText, content: anyText });
export const looseReplaceNoteRequest = replaceNoteRequest.extend({
  title: anyText,
  content: anyText,
});
