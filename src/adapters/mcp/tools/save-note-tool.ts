import { z } from 'zod';
import { oneLine } from '../../../domain/lessons/lesson-text.js';
import type { NotesService } from '../../../ports/driving/notes-service.js';
import { addNoteRequest } from '../../../schemas/note-requests.js';
import { project } from './arguments.js';
import { type Tool, tool } from './tool.js';

const output = z.object({
  id: z.string().optional().describe('Id of the note; absent if nothing was saved.'),
  sourceFile: z.string().optional().describe('Its file; absent if nothing was saved.'),
  chunks: z.int().min(0).optional().describe('Number of its chunks; absent if nothing was saved.'),
  duplicateOf: z
    .string()
    .optional()
    .describe('Id of a chunk that already says the same; only if nothing was saved.'),
});

/** Saves something worth knowing for later. */
export function saveNoteTool(notes: NotesService): Tool {
  const { title, content, tags, importance, id, force } = addNoteRequest.shape;
  return tool({
    name: 'save_note',
    title: 'Save a note',
    description:
      'Saves something that is worth knowing for later work on this project: a decision, a trap, how something works. One subject per note, in markdown. Saves nothing if the knowledge store already says the same, and names the chunk that does.',
    effect: 'writes',
    input: z.object({ title, content, project, tags, importance, id, force }),
    output,
    answer: async (projectPath, { project: _, ...note }) => {
      const saved = await notes.addNote(projectPath, note);
      return { text: textOf(saved), structured: saved };
    },
  });
}

function textOf(saved: Awaited<ReturnType<NotesService['addNote']>>): string {
  return 'duplicateOf' in saved
    ? `Nothing was saved: ${oneLine(saved.duplicateOf)} already says this. Read it with get_chunk; if the note is still needed, call again with force.`
    : `Saved as ${saved.sourceFile}; searches find it now.`;
}
