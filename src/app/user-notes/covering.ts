import type { Logger } from '../../ports/logger.js';
import { notesOfBoth, readingOfBoth } from './notes-of-both.js';
import { searchOfBoth } from './search-of-both.js';
import { sourcesOfBoth } from './sources-of-both.js';
import type { CoveredUseCases, UserNotes } from './user-notes.js';

/** Use cases of a project that also cover the user's notes. */
export function withUserNotes(
  own: CoveredUseCases,
  user: UserNotes,
  logger: Logger,
): CoveredUseCases {
  return {
    notes: notesOfBoth(own.notes, user),
    noteReading: readingOfBoth(own.noteReading, user),
    search: searchOfBoth(own.search, user, logger),
    sources: sourcesOfBoth(own.sources, user),
  };
}
