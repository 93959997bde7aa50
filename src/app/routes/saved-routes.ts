import {
  addNoteRequest,
  changeNoteRequest,
  deletedNote,
  deleteNoteRequest,
  fullNote,
  knownNote,
  noteList,
  noteRequest,
  notesRequest,
  replaceNoteRequest,
  savedNote,
} from '../../schemas/notes.js';
import {
  digest,
  digestRequest,
  documentRequest,
  pageRequest,
  pushedDocument,
  savedPage,
} from '../../schemas/saved.js';
import { Created, route } from './route.js';

/** Web pages, digests, notes and pushed documents (docs/api.md, "Extensions of the hybrid variant"). */
export const savedRoutes = [
  route('POST /api/knowledge/x/urls', {
    summary: 'Fetches a public web page and saves its main text as a source.',
    request: pageRequest,
    response: savedPage,
    created: savedPage,
    errors: ['fetch_not_allowed', 'fetch_failed', 'not_readable'],
    handle: async ({ pages }, request) => createdIfNew(await pages.save(request)),
  }),
  route('POST /api/knowledge/x/digests', {
    summary: 'Writes a digest of a memory category, or of the reflections of an epic.',
    request: digestRequest,
    response: digest,
    created: digest,
    errors: ['not_found', 'category_not_found', 'model_unavailable'],
    handle: async ({ digests }, request) => createdIfNew(await digests.make(request)),
  }),
  route('POST /api/knowledge/x/notes', {
    operationId: 'addNote',
    summary: 'Saves a note, unless the same text is already stored.',
    request: addNoteRequest,
    response: knownNote,
    created: savedNote,
    errors: ['conflict', 'secret_found'],
    handle: async ({ notes }, request) => {
      const saved = await notes.add(request);
      return 'duplicateOf' in saved ? saved : new Created(saved);
    },
  }),
  route('GET /api/knowledge/x/notes', {
    operationId: 'listNotes',
    summary: 'Lists the notes, newest first.',
    request: notesRequest,
    response: noteList,
    handle: async ({ noteReading }, request) => ({ notes: await noteReading.list(request) }),
  }),
  route('GET /api/knowledge/x/notes/{id}', {
    operationId: 'getNote',
    summary: 'Returns a note with its content.',
    request: noteRequest,
    response: fullNote,
    errors: ['not_found'],
    handle: ({ noteReading }, request) => noteReading.get(request),
  }),
  route('PUT /api/knowledge/x/notes/{id}', {
    operationId: 'replaceNote',
    summary: 'Replaces a note; optional fields that are omitted are removed.',
    request: replaceNoteRequest,
    response: savedNote,
    errors: ['not_found', 'changed', 'secret_found'],
    handle: ({ notes }, request) => notes.replace(request),
  }),
  route('PATCH /api/knowledge/x/notes/{id}', {
    operationId: 'changeNote',
    summary: 'Changes the given properties of a note, or adds a paragraph; everything else stays.',
    request: changeNoteRequest,
    response: savedNote,
    errors: ['not_found', 'changed', 'secret_found'],
    handle: ({ notes }, request) => notes.change(request),
  }),
  route('DELETE /api/knowledge/x/notes/{id}', {
    operationId: 'deleteNote',
    summary: 'Deletes a note and its chunks.',
    request: deleteNoteRequest,
    response: deletedNote,
    errors: ['not_found', 'changed'],
    handle: async ({ notes }, request) => ({ deleted: await notes.delete(request) }),
  }),
  route('POST /api/knowledge/x/documents', {
    operationId: 'pushDocument',
    summary: 'Saves a document as a file in the application directory.',
    request: documentRequest,
    response: pushedDocument,
    created: pushedDocument,
    handle: async ({ documents }, request) => createdIfNew(await documents.push(request)),
  }),
];

function createdIfNew<Report extends { readonly isNew: boolean }>({ isNew, ...report }: Report) {
  return isNew ? new Created(report) : report;
}
