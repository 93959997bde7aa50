import { z } from 'zod';
import type { NotesService } from '../../../ports/driving/notes-service.js';
import {
  addNoteRequest,
  deleteNoteRequest,
  replaceNoteRequest,
} from '../../../schemas/note-requests.js';
import { Created, type Route, route, STORE_ERRORS } from './route.js';

/** Adding, replacing and deleting notes (docs/api.md, "Extensions of the hybrid variant"). */
export function noteRoutes(notes: NotesService): readonly Route[] {
  return [addNoteRoute(notes), replaceNoteRoute(notes), deleteNoteRoute(notes)];
}

const savedNote = z
  .object({
    id: z.string().describe('Id of the note.'),
    sourceFile: z.string().describe('Its file, relative to the project.'),
    chunks: z.int().min(0).describe('Number of chunks that the index holds of it.'),
  })
  .meta({ id: 'SavedNote', description: 'A note that was saved.' });

function addNoteRoute(notes: NotesService): Route {
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
    errors: [...STORE_ERRORS, 'conflict'],
    handle: async ({ projectPath, ...note }) => {
      const saved = await notes.addNote(projectPath, note);
      return 'duplicateOf' in saved ? saved : new Created(saved);
    },
  });
}

function replaceNoteRoute(notes: NotesService): Route {
  return route({
    method: 'PUT',
    path: '/api/knowledge/x/notes/{id}',
    operationId: 'replaceNote',
    summary: 'Replaces a note; tags and importance that are left out are gone.',
    request: replaceNoteRequest,
    response: savedNote,
    errors: [...STORE_ERRORS, 'not_found'],
    handle: ({ projectPath, id, ...note }) => notes.replaceNote(projectPath, id, note),
  });
}

function deleteNoteRoute(notes: NotesService): Route {
  return route({
    method: 'DELETE',
    path: '/api/knowledge/x/notes/{id}',
    operationId: 'deleteNote',
    summary: 'Deletes a note with its chunks.',
    request: deleteNoteRequest,
    response: z.object({
      deleted: z.int().min(0).describe('Number of chunks that were deleted.'),
    }),
    errors: [...STORE_ERRORS, 'not_found'],
    handle: async ({ projectPath, id }) => ({ deleted: await notes.deleteNote(projectPath, id) }),
  });
}
