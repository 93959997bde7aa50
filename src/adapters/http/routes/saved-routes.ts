import * as z from 'zod';
import { FIELDS } from '../../../domain/fields.js';
import {
  categoryName,
  count,
  epicId,
  importance,
  pageUrl,
  projectPath,
  tags,
  text,
  textFor,
} from '../../../schemas/fields.js';
import {
  addNoteRequest,
  deleteNoteRequest,
  replaceNoteRequest,
} from '../../../schemas/requests.js';
import { Created, route } from './route.js';

const chunks = count('Number of chunks that the index holds of it.');

const savedNote = z
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

const pushedDocument = z.object({
  sourceFile: z.string().describe('Its file, relative to the project.'),
  chunks,
});

const savedPage = z.object({
  sourceFile: z.string().describe('The file that the page is kept in.'),
  title: z.string().describe('Title of the page.'),
  chunks,
  changed: z.boolean().describe('Whether its title or text is another one than before.'),
});

const digest = z.object({
  sourceFile: z.string().describe('The file that the digest is kept in.'),
  chunks,
  sources: z.array(z.string()).describe('The source files that it was made of.'),
});

/** Web pages, digests, notes and pushed documents (docs/api.md, "Extensions of the hybrid variant"). */
export const savedRoutes = [
  route('POST /api/knowledge/x/urls', {
    summary: 'Fetches a public web page and keeps its main text as a source.',
    request: z.object({
      projectPath,
      url: pageUrl,
      tags: tags.exactOptional(),
      importance: importance.exactOptional(),
    }),
    response: savedPage,
    created: savedPage,
    errors: ['fetch_not_allowed', 'fetch_failed', 'not_readable'],
    handle: async ({ pages }, { projectPath, ...page }) =>
      createdIfNew(await pages.savePage(projectPath, page)),
  }),
  route('POST /api/knowledge/x/digests', {
    summary: 'Writes a digest of a memory category, or of the reflections of an epic.',
    request: z.object({
      projectPath,
      category: categoryName.exactOptional(),
      epicId: epicId.exactOptional(),
    }),
    response: digest,
    created: digest,
    errors: ['not_found', 'category_not_found', 'model_unavailable'],
    handle: async ({ digests }, { projectPath, ...subject }) =>
      createdIfNew(await digests.makeDigest(projectPath, subject)),
  }),
  route('POST /api/knowledge/x/notes', {
    operationId: 'addNote',
    summary: 'Saves a note, unless the store already says the same.',
    request: addNoteRequest,
    response: z.object({
      duplicateOf: z.string().describe('Id of a chunk that says the same; nothing was saved.'),
    }),
    created: savedNote,
    errors: ['conflict'],
    handle: async ({ notes }, { projectPath, ...note }) => {
      const saved = await notes.addNote(projectPath, note);
      return 'duplicateOf' in saved ? saved : new Created(saved);
    },
  }),
  route('PUT /api/knowledge/x/notes/{id}', {
    operationId: 'replaceNote',
    summary: 'Replaces a note; optional fields that are left out are gone.',
    request: replaceNoteRequest,
    response: savedNote,
    errors: ['not_found'],
    handle: ({ notes }, { projectPath, id, ...note }) => notes.replaceNote(projectPath, id, note),
  }),
  route('DELETE /api/knowledge/x/notes/{id}', {
    operationId: 'deleteNote',
    summary: 'Deletes a note with its chunks.',
    request: deleteNoteRequest,
    response: z.object({ deleted: count('Number of chunks that were deleted.') }),
    errors: ['not_found'],
    handle: async ({ notes }, { projectPath, id }) => ({
      deleted: await notes.deleteNote(projectPath, id),
    }),
  }),
  route('POST /api/knowledge/x/documents', {
    operationId: 'pushDocument',
    summary: 'Keeps a document as a file of the application directory.',
    request: z.object({
      projectPath,
      path: textFor(FIELDS.path)
        .describe(
          'Path of its file in the folder "documents"; ".md" is added where it has no ending.',
        )
        .meta({ examples: ['docs/guide.md'] }),
      content: text.describe('The document, in markdown.'),
      tags: tags
        .describe('Tags of every chunk; default: those of the frontmatter.')
        .exactOptional(),
      importance: importance
        .describe('Importance of every chunk, 0 to 1; default: the frontmatter, else a setting.')
        .exactOptional(),
    }),
    response: pushedDocument,
    created: pushedDocument,
    handle: async ({ documents }, { projectPath, ...document }) =>
      createdIfNew(await documents.pushDocument(projectPath, document)),
  }),
];

function createdIfNew<Report extends { readonly isNew: boolean }>({ isNew, ...report }: Report) {
  return isNew ? new Created(report) : report;
}
