import * as z from 'zod';
import { FIELDS } from '../../../domain/fields.js';
import type { KnowledgeServices as Services } from '../../../ports/driving/knowledge-services.js';
import {
  categoryName,
  epicId,
  importance,
  oneOf,
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
} from '../../../schemas/note-requests.js';
import { Created, type Route, route } from './route.js';

/** Notes, web pages, digests and pushed documents (docs/api.md, "Extensions of the hybrid variant"). */
export function savedRoutes({ notes, pages, digests, documents }: SavedServices): readonly Route[] {
  return [
    savePageRoute(pages),
    digestRoute(digests),
    addNoteRoute(notes),
    replaceNoteRoute(notes),
    deleteNoteRoute(notes),
    pushDocumentRoute(documents),
  ];
}

type SavedServices = Pick<Services, 'notes' | 'pages' | 'digests' | 'documents'>;

const savedNote = z
  .object({
    id: z.string().describe('Id of the note.'),
    sourceFile: z.string().describe('Its file, relative to the project.'),
    chunks: z.int().min(0).describe('Number of chunks that the index holds of it.'),
  })
  .meta({ id: 'SavedNote', description: 'A note that was saved.' });

function addNoteRoute(notes: Services['notes']): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/notes',
    operationId: 'addNote',
    summary: 'Saves a note, unless the store already says the same.',
    request: addNoteRequest,
    response: z.object({
      duplicateOf: z.string().describe('Id of a chunk that says the same; nothing was saved.'),
    }),
    created: savedNote,
    errors: ['conflict'],
    handle: async ({ projectPath, ...note }) => {
      const saved = await notes.addNote(projectPath, note);
      return 'duplicateOf' in saved ? saved : new Created(saved);
    },
  });
}

function replaceNoteRoute(notes: Services['notes']): Route {
  return route({
    method: 'PUT',
    path: '/api/knowledge/x/notes/{id}',
    operationId: 'replaceNote',
    summary: 'Replaces a note; optional fields that are left out are gone.',
    request: replaceNoteRequest,
    response: savedNote,
    errors: ['not_found'],
    handle: ({ projectPath, id, ...note }) => notes.replaceNote(projectPath, id, note),
  });
}

function deleteNoteRoute(notes: Services['notes']): Route {
  return route({
    method: 'DELETE',
    path: '/api/knowledge/x/notes/{id}',
    operationId: 'deleteNote',
    summary: 'Deletes a note with its chunks.',
    request: deleteNoteRequest,
    response: z.object({
      deleted: z.int().min(0).describe('Number of chunks that were deleted.'),
    }),
    errors: ['not_found'],
    handle: async ({ projectPath, id }) => ({ deleted: await notes.deleteNote(projectPath, id) }),
  });
}

const documentRequest = z.object({
  projectPath,
  path: textFor(FIELDS.path)
    .describe('Path of the document, relative to the project; nothing is written there.')
    .meta({ examples: ['docs/guide.md'] }),
  sourceType: oneOf(FIELDS.pushedType)
    .describe('Source type of the document; default "file".')
    .exactOptional(),
  content: text.describe('The document, in markdown.'),
  title: text
    .describe('Heading of chunks without one; default: the first "#" title.')
    .exactOptional(),
  tags: tags.describe('Tags of every chunk; default: those of the frontmatter.').exactOptional(),
  importance: importance
    .describe(
      'Importance of every chunk, 0 to 1; default: that of the frontmatter, else a setting.',
    )
    .exactOptional(),
});

const documentResponse = z.object({
  sourceFile: z.string().describe('The path of the document.'),
  chunks: z.int().min(0).describe('How many chunks the index holds of it.'),
  changed: z.boolean().describe('Whether it is another one than before; true for a new one.'),
});

function pushDocumentRoute(documents: Services['documents']): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/documents',
    operationId: 'pushDocument',
    summary: 'Stores a document that the service cannot read from a file.',
    request: documentRequest,
    response: documentResponse,
    created: documentResponse,
    errors: ['conflict'],
    handle: async ({ projectPath, ...document }) => {
      const { isNew, ...report } = await documents.pushDocument(projectPath, document);
      return isNew ? new Created(report) : report;
    },
  });
}

const pageRequest = z.object({
  projectPath,
  url: pageUrl,
  tags: tags.exactOptional(),
  importance: importance.exactOptional(),
});

const pageResponse = z.object({
  sourceFile: z.string().describe('The file that the page is kept in.'),
  title: z.string().describe('Title of the page.'),
  chunks: z.int().min(0).describe('How many chunks the index holds of it.'),
  changed: z.boolean().describe('Whether its title or text is another one than before.'),
});

function savePageRoute(pages: Services['pages']): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/urls',
    summary: 'Fetches a public web page and keeps its main text as a source.',
    request: pageRequest,
    response: pageResponse,
    created: pageResponse,
    errors: ['fetch_not_allowed', 'fetch_failed', 'not_readable'],
    handle: async ({ projectPath, ...page }) => {
      const { isNew, ...report } = await pages.savePage(projectPath, page);
      return isNew ? new Created(report) : report;
    },
  });
}

const digestRequest = z.object({
  projectPath,
  category: categoryName.exactOptional(),
  epicId: epicId.exactOptional(),
});

const digestResponse = z.object({
  sourceFile: z.string().describe('The file that the digest is kept in.'),
  chunks: z.int().min(0).describe('How many chunks the index holds of it.'),
  sources: z.array(z.string()).describe('The source files that it was made of.'),
});

function digestRoute(digests: Services['digests']): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/digests',
    summary: 'Writes a digest of a memory category, or of the reflections of an epic.',
    request: digestRequest,
    response: digestResponse,
    created: digestResponse,
    errors: ['not_found', 'category_not_found', 'model_unavailable'],
    handle: async ({ projectPath, ...subject }) => {
      const { isNew, ...report } = await digests.makeDigest(projectPath, subject);
      return isNew ? new Created(report) : report;
    },
  });
}
