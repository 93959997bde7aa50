import * as z from 'zod';
import { KnowledgeError } from '../../../domain/errors.js';
import { oneLine } from '../../../domain/lessons/lesson-text.js';
import type { NotesService } from '../../../ports/driving/notes-service.js';
import { flag } from '../../../schemas/fields.js';
import { addNoteRequest, noteId } from '../../../schemas/requests.js';
import { project, type Tool, tool } from './tool.js';

/** Saves something worth knowing for later, or replaces it. */
export function saveNoteTool(notes: NotesService): Tool {
  const { title, content, tags, importance, supersedes, id, force } = addNoteRequest.shape;
  return tool({
    name: 'save_note',
    title: 'Save a note',
    description:
      'Saves something that is worth knowing for later work on this project: a decision, a trap, how something works. One subject per note. Saves nothing if the same is known already, and names the chunk that says it. With replace it takes the place of the note with that id.',
    effect: 'writes',
    input: z.object({
      title,
      content,
      project,
      tags,
      importance,
      supersedes,
      id,
      force,
      replace: flag.describe('Whether to replace the note with this id.').exactOptional(),
    }),
    answer: async (projectPath, { project: _, replace, id: known, force: isForced, ...note }) => {
      if (replace === true)
        return saved(await replaced(notes, projectPath, { ...note, id: known }));
      const options = {
        ...(known !== undefined && { id: known }),
        ...(isForced !== undefined && { force: isForced }),
      };
      return saved(await notes.addNote(projectPath, { ...note, ...options }));
    },
  });
}

type Replacement = Parameters<NotesService['replaceNote']>[2] & { readonly id: string | undefined };

function replaced(notes: NotesService, projectPath: string, { id, ...note }: Replacement) {
  if (id !== undefined) return notes.replaceNote(projectPath, id, note);
  throw new KnowledgeError('invalid_request', 'id is required to replace a note.');
}

function saved(structured: Awaited<ReturnType<NotesService['addNote']>>) {
  const text =
    'duplicateOf' in structured
      ? `Nothing was saved: ${oneLine(structured.duplicateOf)} already says this. Read it with get; if the note is still needed, call again with force.`
      : `Saved as ${structured.sourceFile}; searches find it now.`;
  return { text, structured };
}

/** Deletes a note. */
export function deleteNoteTool(notes: NotesService): Tool {
  return tool({
    name: 'delete_note',
    title: 'Delete a note',
    description: 'Deletes a note that no longer holds, and its file.',
    effect: 'deletes',
    input: z.object({ id: noteId, project }),
    answer: async (projectPath, { id }) => {
      const deleted = await notes.deleteNote(projectPath, id);
      return { text: `The note ${id} is deleted.`, structured: { deleted } };
    },
  });
}
