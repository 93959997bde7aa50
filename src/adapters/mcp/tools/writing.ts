import * as z from 'zod';
import type { Service } from '../../../app/service/service.js';
import { invalidRequest } from '../../../domain/errors.js';
import { formatCount } from '../../../domain/figures.js';
import { fenceText, oneLine } from '../../../domain/lessons/lesson-text.js';
import { NAME_CHARACTERS } from '../../../domain/saved/note-warnings.js';
import { isUserId, toUserId } from '../../../domain/saved/user-note-ids.js';
import type { Answer } from '../../../schemas/checks.js';
import {
  addNoteRequest,
  deleteNoteRequest,
  replaceNoteRequest,
  type savedNote,
} from '../../../schemas/notes.js';
import { cutPreview, DEFAULT_ANSWER_TOKENS } from '../answers/budget.js';
import { WARNING_OF_BLOCK } from '../answers/chunk-block.js';
import { type Tool, tool } from './tool.js';

/** Brings the index up to date with the files of a project. */
export function ingestTool({ indexing }: Service): Tool {
  return tool({
    name: 'ingest',
    title: 'Index the project knowledge',
    description:
      'Brings the index up to date with the files of the project: reflections, agent outputs, memory notes and markdown. Use it once for a project that was never indexed, and after you have written such files. Unchanged files cost nothing.',
    effect: 'writes',
    request: {},
    answer: async (projectPath, _, options) => {
      const { indexed, skipped } = await indexing.ingest({ projectPath }, options);
      const sentence = `The index holds ${formatCount(indexed, 'file')}.`;
      if (skipped.length === 0) return sentence;
      const lines = skipped.map(({ sourceFile, reason, isRead }) => {
        return `${oneLine(sourceFile)}${isRead ? ' (read in part)' : ''}: ${reason}`;
      });
      const { text } = cutPreview(lines.join('\n'), DEFAULT_ANSWER_TOKENS / 2);
      const were = skipped.length === 1 ? 'was' : 'were';
      const how = skipped.some(({ isRead }) => isRead) ? 'skipped or read in part' : 'skipped';
      const list = `${formatCount(skipped.length, 'path')} ${were} ${how}:\n\n${fenceText(text)}`;
      return `${sentence} ${list}`;
    },
  });
}

/** A flag whose error says where ids and texts belong, because agents put them into the flag. */
function changeFlag(instead: string) {
  return z.boolean({
    error: ({ input }) =>
      `must be true or false, not "${oneLine(String(input), NAME_CHARACTERS)}"; put ${instead} (a search shows ids)`,
  });
}

const ID_INTO_ID = 'the id of the note into id';

/** Saves a note, or changes an existing one. */
export function saveNoteTool({ notes }: Service): Tool {
  return tool({
    name: 'save_note',
    title: 'Save a note',
    description:
      'Saves something worth knowing for later work: a decision, a pitfall, how something works. One subject per note. Saves nothing if the same text is already stored. replace and append keep properties that you omit.',
    effect: 'writes',
    request: {
      ...addNoteRequest.shape,
      title: addNoteRequest.shape.title.describe('One line.').exactOptional(),
      tags: addNoteRequest.shape.tags.describe('For search filters.'),
      importance: addNoteRequest.shape.importance.describe('Default 0.5.'),
      ifVersion: replaceNoteRequest.shape.ifVersion,
      replace: changeFlag(ID_INTO_ID).describe('Replace the note with this id.').exactOptional(),
      append: changeFlag(`the text into content, and ${ID_INTO_ID}`)
        .describe('Append the content to the note with this id.')
        .exactOptional(),
    },
    answer: async (projectPath, { replace = false, append = false, ifVersion, ...note }) => {
      const { title, content, id, scope, force: _, author: __, session: ___, ...given } = note;
      if (!replace && !append) {
        if (title === undefined) throw invalidRequest('title is required for a new note.');
        return savedText(await notes.add({ projectPath, ...note, title }));
      }
      if (replace && append) throw invalidRequest('Set either replace or append, not both.');
      if (id === undefined) throw invalidRequest('id is required to change a note.');
      const changes = {
        ...given,
        ...(title !== undefined && { title }),
        ...(append ? { append: content } : { content }),
        ...(ifVersion !== undefined && { ifVersion }),
      };
      const changed = scope === 'user' && !isUserId(id) ? toUserId(id) : id;
      return savedText(await notes.change({ projectPath, id: changed, ...changes }));
    },
  });
}

type SavedNote = Answer<typeof savedNote>;

function savedText(note: Awaited<ReturnType<Service['notes']['add']>>): string {
  if ('duplicateOf' in note) {
    return `Nothing was saved: ${oneLine(note.duplicateOf, NAME_CHARACTERS)} already says this, word for word. To save it anyway, call again with force.`;
  }
  const { sourceFile, similarTo = [], warnings = [] } = note;
  const sentences = [
    `Saved as ${oneLine(sourceFile, NAME_CHARACTERS)}; ${findability(note)}.`,
    ...warnings.map(oneSentence),
  ];
  return [sentences.join(' '), ...similarText(similarTo)].join('\n\n');
}

function findability({ chunks, expired }: SavedNote): string {
  if (expired) return 'it has expired, so searches leave it out';
  return chunks > 0 ? 'searches find it now' : 'it has no searchable text';
}

const oneSentence = (warning: string) => oneLine(warning, WARNING_CHARACTERS);
const WARNING_CHARACTERS = 1000;

function similarText(similar: NonNullable<SavedNote['similarTo']>): readonly string[] {
  if (similar.length === 0) return [];
  const lines = similar.map(({ id, line, relevance, text }) => {
    return `${oneLine(id)} (line ${line}, ${relevance.toFixed(2)}): ${oneLine(text)}`;
  });
  return [`${WARNING_OF_BLOCK}\n\n${fenceText(lines.join('\n'))}`];
}

export function deleteNoteTool({ notes }: Service): Tool {
  return tool({
    name: 'delete_note',
    title: 'Delete a note',
    description: 'Deletes a note that is no longer true, and its file.',
    effect: 'deletes',
    request: deleteNoteRequest.shape,
    answer: async (projectPath, given) => {
      await notes.delete({ projectPath, ...given });
      return `The note ${oneLine(given.id, NAME_CHARACTERS)} was deleted.`;
    },
  });
}
