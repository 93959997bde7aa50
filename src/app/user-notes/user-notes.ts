import type { NoteReading } from '../saved/note-reading.js';
import type { Notes } from '../saved/notes.js';
import type { Search } from '../search/search.js';
import type { Sources } from '../sources/sources.js';

/** User notes, which apply to all projects, as a project of their own. */
export interface UserNotes {
  /** The directory that holds the folder `notes` and the store, absolute. */
  readonly projectPath: string;
  /** Whether there may be notes. */
  exist(): boolean;
  /** Creates the directory unless it exists. */
  prepare(): void;
  /** Composes the use cases for user notes, once. */
  open(): CoveredUseCases;
}

/** The use cases that treat a project and user notes as one. */
export interface CoveredUseCases {
  readonly notes: MethodsOf<Notes>;
  readonly noteReading: MethodsOf<NoteReading>;
  readonly search: MethodsOf<Search>;
  readonly sources: MethodsOf<Sources>;
}

type MethodsOf<Class> = Pick<Class, keyof Class>;
