import type { NoteReading } from '../saved/note-reading.js';
import type { Notes } from '../saved/notes.js';
import type { Search } from '../search/search.js';
import type { Sources } from '../sources/sources.js';

/** The notes of the user, which apply to all projects, as a project of their own. */
export interface UserNotes {
  /** The directory that holds the folder `notes` and the store, absolute. */
  readonly projectPath: string;
  /** Whether there may be notes. */
  exist(): boolean;
  /** Makes the directory unless it is there. */
  prepare(): void;
  /** Composes the use cases over the notes of the user, once. */
  open(): CoveredUseCases;
}

/** The use cases in which a project and the notes of the user are one. */
export interface CoveredUseCases {
  readonly notes: MethodsOf<Notes>;
  readonly noteReading: MethodsOf<NoteReading>;
  readonly search: MethodsOf<Search>;
  readonly sources: MethodsOf<Sources>;
}

export type MethodsOf<Class> = Pick<Class, keyof Class>;
