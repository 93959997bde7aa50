import { errorReason } from '../../domain/errors.js';
import { similarWarning } from '../../domain/saved/note-warnings.js';
import type { Logger } from '../../ports/logger.js';
import type { Answer } from '../../schemas/checks.js';
import type { savedNote, similarChunk } from '../../schemas/notes.js';
import type { OpenProject } from '../projects/open-project.js';
import { expiredSources } from '../search/filters.js';
import { type Candidates, findCandidates, findSimilar, type SoughtText } from './existing-text.js';
import { describeSimilar, findByMeaning, type SimilarChunksDeps } from './similar-chunks.js';

export interface NoteReportDeps extends SimilarChunksDeps {
  readonly logger: Logger;
  /** Returns the name of a chunk for use in sentences. */
  readonly shownId: (id: string) => string;
}

type SavedNote = Answer<typeof savedNote>;

/** A written note, and its new text. */
export interface WrittenNote {
  readonly saved: SavedNote;
  readonly text: SoughtText;
  /** Chunks that share words with the text; found if they are not given. */
  readonly candidates?: Candidates | undefined;
  /** Warnings about the text, as sentences. */
  readonly warnings: readonly string[];
}

/** Adds similar chunks and warnings to the response for the writer of a note. */
export async function reportNote(
  options: NoteReportDeps,
  project: OpenProject,
  { saved, text, candidates, warnings }: WrittenNote,
): Promise<SavedNote> {
  const similarTo = await compareNote(options, project, { text, candidates });
  const question = similarWarning(similarTo.map(({ id }) => options.shownId(id)));
  const expired = await expiredSources(project, options.clock.now());
  const sentences = [...warnings, ...(question === undefined ? [] : [question])];
  return {
    ...saved,
    ...(similarTo.length > 0 && { similarTo }),
    ...(sentences.length > 0 && { warnings: sentences }),
    ...(expired.includes(saved.sourceFile) && { expired: true }),
  };
}

/** Finds chunks that are similar to a note. Never rejects, because the note is already saved. */
async function compareNote(
  options: NoteReportDeps,
  project: OpenProject,
  { text, candidates }: Pick<WrittenNote, 'text' | 'candidates'>,
): Promise<readonly Answer<typeof similarChunk>[]> {
  try {
    const byMeaning = await findByMeaning(options, project, text);
    const inCommon = candidates ?? (await findCandidates(options, project, text));
    const byWords = findSimilar(text, inCommon);
    return await describeSimilar(options, project, [...byMeaning, ...byWords]);
  } catch (error) {
    options.logger.warn('A note could not be compared with others.', {
      reason: errorReason(error),
    });
    return [];
  }
}
