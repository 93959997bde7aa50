import type {
  KnownNote,
  NewNote,
  Note,
  NotesService,
  SavedNote,
} from '../../ports/driving/notes-service.js';
import { checkArguments } from '../arguments.js';
import type { Projects } from '../projects/projects.js';
import type { Notes } from './notes.js';

export interface NoteServiceParts {
  readonly projects: Projects;
  readonly notes: Notes;
}

/** Checks the arguments of each method, opens the project and calls the use case. */
export class NoteService implements NotesService {
  readonly #parts: NoteServiceParts;

  constructor(parts: NoteServiceParts) {
    this.#parts = parts;
  }

  async addNote(projectPath: string, note: NewNote): Promise<SavedNote | KnownNote> {
    checkNote(projectPath, note);
    checkArguments({}, { id: note.id, force: note.force });
    return this.#parts.notes.add(await this.#parts.projects.open(projectPath), note);
  }

  async replaceNote(projectPath: string, id: string, note: Note): Promise<SavedNote> {
    checkArguments({ id });
    checkNote(projectPath, note);
    return this.#parts.notes.replace(await this.#parts.projects.open(projectPath), id, note);
  }

  async deleteNote(projectPath: string, id: string): Promise<number> {
    checkArguments({ projectPath, id });
    return this.#parts.notes.delete(await this.#parts.projects.open(projectPath), id);
  }
}

function checkNote(projectPath: string, note: Note): void {
  checkArguments({ projectPath, note });
  const { title, content, tags, importance } = note;
  checkArguments({ title, content }, { tags, importance });
}
