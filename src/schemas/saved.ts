import * as z from 'zod';
import { DOCUMENT_CONTENT_MAX_CHARACTERS, TAG_MAX_CHARACTERS, TAGS_MAX } from '../domain/limits.js';
import {
  DOCUMENT_PATH_RULE,
  isDocumentPath,
  isNoteId,
  isPageUrl,
  NOTE_ID_RULE,
  PAGE_URL_RULE,
} from '../domain/saved/saved-names.js';
import { EPIC_ID_MAX_CHARACTERS, isEpicId } from '../domain/saved/saved-text.js';
import type { Request } from './checks.js';
import {
  anyText,
  categoryName,
  count,
  flag,
  importance,
  projectPath,
  tags,
  text,
  textWith,
} from './fields.js';

/** Notes, web pages, digests and documents that are pushed (docs/specification.md, "Knowledge in"). */

const chunks = count('Number of chunks that the index holds of it.');

const noteId = textWith(isNoteId, NOTE_ID_RULE).describe(
  'Name of the file of the note, without ".md".',
);

const noteFields = {
  projectPath,
  title: text.describe('Title; a line break becomes a space.'),
  content: text.describe('The note, in markdown.'),
  tags: tags
    .describe(`Tags, at most ${TAGS_MAX} of at most ${TAG_MAX_CHARACTERS} characters.`)
    .exactOptional(),
  importance: importance.describe('Importance from 0 to 1; default 0.5.').exactOptional(),
  supersedes: textWith(isNoteId, NOTE_ID_RULE)
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

export type AddNoteRequest = Request<typeof addNoteRequest>;

export const replaceNoteRequest = z.object({ ...noteFields, id: noteId });

export type ReplaceNoteRequest = Request<typeof replaceNoteRequest>;

export const deleteNoteRequest = z.object({ projectPath, id: noteId });

export type DeleteNoteRequest = Request<typeof deleteNoteRequest>;

export const savedNote = z
  .object({
    id: z.string().describe('Id of the note.'),
    sourceFile: z.string().describe('Its file, relative to the project.'),
    chunks,
    similarTo: z
      .string()
      .optional()
      .describe('Id of a chunk that is similar, or of a note with the same title.'),
  })
  .meta({ id: 'SavedNote', description: 'A note that was saved.' });

export const knownNote = z.object({
  duplicateOf: z.string().describe('Id of a chunk that says the same; nothing was saved.'),
});

export const deletedNote = z.object({ deleted: count('Number of chunks that were deleted.') });

export const pageRequest = z.object({
  projectPath,
  url: textWith(isPageUrl, PAGE_URL_RULE)
    .describe('Address of a public web page, http or https, without user name and password.')
    .meta({ examples: ['https://example.org/'] }),
  tags: tags.exactOptional(),
  importance: importance.exactOptional(),
});

export type PageRequest = Request<typeof pageRequest>;

export const savedPage = z.object({
  sourceFile: z.string().describe('The file that the page is kept in.'),
  title: z.string().describe('Title of the page.'),
  chunks,
  changed: z.boolean().describe('Whether its title or text is another one than before.'),
});

export const digestRequest = z.object({
  projectPath,
  category: categoryName.exactOptional(),
  epicId: textWith(isEpicId, `must be a text of 1 to ${EPIC_ID_MAX_CHARACTERS} characters`)
    .describe('Epic whose features have the reflections.')
    .exactOptional(),
});

export type DigestRequest = Request<typeof digestRequest>;

export const digest = z.object({
  sourceFile: z.string().describe('The file that the digest is kept in.'),
  chunks,
  sources: z.array(z.string()).describe('The source files that it was made of.'),
});

export const documentRequest = z.object({
  projectPath,
  path: textWith(isDocumentPath, DOCUMENT_PATH_RULE)
    .describe('Path of its file in the folder "documents"; ".md" is added where it has no ending.')
    .meta({ examples: ['docs/guide.md'] }),
  content: text
    .refine(({ length }) => length <= DOCUMENT_CONTENT_MAX_CHARACTERS, {
      error: `must have at most ${DOCUMENT_CONTENT_MAX_CHARACTERS} characters`,
    })
    .describe('The document, in markdown.'),
  tags: tags.describe('Tags of every chunk; default: those of the frontmatter.').exactOptional(),
  importance: importance
    .describe('Importance of every chunk, 0 to 1; default: the frontmatter, else a setting.')
    .exactOptional(),
});

export type DocumentRequest = Request<typeof documentRequest>;

export const pushedDocument = z.object({
  sourceFile: z.string().describe('Its file, relative to the project.'),
  chunks,
});

/** What a program sends may be blank at first: the title of a note may stand in its content. */
export const looseAddNoteRequest = addNoteRequest.extend({ title: anyText, content: anyText });
export const looseReplaceNoteRequest = replaceNoteRequest.extend({
  title: anyText,
  content: anyText,
});
