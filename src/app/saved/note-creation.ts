import { KnowledgeError } from '../../domain/errors.js';
import { noteIdFor } from '../../domain/saved/saved-names.js';
import type { OpenProject } from '../projects/open-project.js';
import { checkSupersedes } from './note-checks.js';
import { hashVersion, noteFile } from './note-files.js';
import type { SavedFiles, SavedSource } from './saved-files.js';

interface Saving {
  readonly saved: SavedFiles;
}

interface NewNote {
  readonly title: string;
  /** Text of the whole file. */
  readonly text: string;
  /** Default: derived from the title. */
  readonly id?: string | undefined;
  readonly supersedes?: string | undefined;
}

interface CreatedNote extends SavedSource {
  readonly id: string;
  readonly version: string;
}

/**
 * Creates the file of a note.
 * @throws KnowledgeError `conflict` if there is a note with this `id`; `invalid_request` for a wrong `supersedes`
 */
export async function createNote(
  options: Saving,
  project: OpenProject,
  { title, text, ...note }: NewNote,
): Promise<CreatedNote> {
  const version = await hashVersion(text);
  const { id } = note;
  if (id === undefined) {
    const choose = async (taken: readonly string[]) => {
      const free = noteIdFor(title, taken);
      await checkSupersedes(options, project, { ...note, id: free });
      return free;
    };
    const file = { sourceType: 'manual', text, choose } as const;
    const { name, ...created } = await options.saved.createUnderFreeName(project, file);
    return { id: name, ...created, version };
  }
  const names = await options.saved.names(project, 'manual');
  const isTaken = names.some((name) => name.toLowerCase() === id.toLowerCase());
  const created = isTaken ? undefined : await options.saved.create(project, noteFile(id), text);
  if (created !== undefined) return { id, ...created, version };
  throw new KnowledgeError(
    'conflict',
    `There is already a note with the id "${id}"; replace it, or choose another id.`,
  );
}
