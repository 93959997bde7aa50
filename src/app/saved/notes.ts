import { invalidRequest } from '../../domain/errors.js';
import type { NoteRecord } from '../../domain/saved/note-record.js';
import { savedText } from '../../domain/saved/saved-text.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { Answer } from '../../schemas/checks.js';
import type {
  AddNoteRequest,
  ChangeNoteRequest,
  DeleteNoteRequest,
  knownNote,
  ReplaceNoteRequest,
  savedNote,
} from '../../schemas/notes.js';
import { ExclusiveChanges } from '../leases.js';
import type { Projects } from '../projects/projects.js';
import { checkChanges, checkNewId, checkNoteText, checkScope } from './note-checks.js';
import { createNote } from './note-creation.js';
import {
  checkVersion,
  noNote,
  noteFile,
  openWithNote,
  requireNote,
  requireNoteName,
} from './note-files.js';
import { type NoteReportDeps, reportNote } from './note-report.js';
import { type NoteChange, type RewritingDeps, rewriteNote } from './note-rewriting.js';

interface NotesOptions extends NoteReportDeps, RewritingDeps {
  readonly projects: Projects;
  readonly frontmatter: FrontmatterParser;
}

type SavedNote = Answer<typeof savedNote>;

/**
 * Notes: knowledge added by hand, as files in `<appdir>/notes`. A keyword search finds a note as soon as a method
 * returns (docs/specification.md, "Knowledge in").
 *
 * Every method may throw KnowledgeError `invalid_request` (also for a `supersedes` that does not exist or leads back to
 * the note), and `path_not_allowed` if the file's path leads through a link.
 */
export class Notes {
  readonly #options: NotesOptions;
  /** Runs changes one at a time, so that each sees the one before. */
  readonly #changes: ExclusiveChanges;

  constructor(options: NotesOptions) {
    this.#options = options;
    this.#changes = new ExclusiveChanges(options.clock, 'notes');
  }

  /**
   * Saves a note, unless the same text is already stored. Differences in white space are ignored, and superseded and
   * expired notes do not count.
   * @throws KnowledgeError `conflict` if there is a note with this `id`
   */
  async add({
    projectPath,
    scope,
    ...given
  }: AddNoteRequest): Promise<SavedNote | Answer<typeof knownNote>> {
    checkScope({ scope });
    const id = checkNewId(given.id);
    // Checks the note before opening the project, so that an invalid note does not create a store.
    checkNoteText(this.#options, given);
    const project = await this.#options.projects.open(projectPath);
    const note = { ...given, id, created: this.#options.clock.now().toISOString() };
    const created = await this.#changes.run(project, () =>
      createNote(this.#options, project, note),
    );
    return 'duplicateOf' in created ? created : reportNote(this.#options, project, created);
  }

  /**
   * Replaces a whole note: tags, importance, `expires` and `supersedes` are removed unless the request or the
   * frontmatter of its content gives them. Keeps the creation time, author and session.
   * @throws KnowledgeError `not_found`; `changed` if it no longer has the version `ifVersion`
   */
  async replace({ projectPath, id, ifVersion, ...note }: ReplaceNoteRequest): Promise<SavedNote> {
    // Checks the note before opening the project, so that an invalid note does not create a store.
    checkNoteText(this.#options, note);
    const textAfter: NoteChange['textAfter'] = (before, known) =>
      savedText(checkNoteText(this.#options, { ...note, ...known, ...keptOrigin(before) }));
    return this.#rewrite(projectPath, { id, ifVersion, ...note, textAfter });
  }

  /**
   * Sets the given properties of a note; the rest of its file stays.
   * @throws KnowledgeError `not_found`; `changed` if it no longer has the version `ifVersion`
   */
  async change({ projectPath, id, ifVersion, ...changes }: ChangeNoteRequest): Promise<SavedNote> {
    if (changes.append !== undefined && changes.content !== undefined) {
      throw invalidRequest('Only one of content and append can be set.');
    }
    const textAfter: NoteChange['textAfter'] = (before, known) =>
      checkChanges(this.#options, before, { ...changes, ...known });
    return this.#rewrite(projectPath, { id, ifVersion, ...changes, textAfter });
  }

  /**
   * Deletes a note and its chunks. Returns the number of chunks.
   * @throws KnowledgeError `not_found`; `changed` if it no longer has the version `ifVersion`
   */
  async delete({ projectPath, id: given, ifVersion }: DeleteNoteRequest): Promise<number> {
    const { saved } = this.#options;
    const project = await openWithNote(this.#options, projectPath, given);
    return this.#changes.run(project, async () => {
      const id = await requireNoteName(saved, project, given);
      if (ifVersion !== undefined) {
        checkVersion(await requireNote(saved, project, id), { id, ifVersion });
      }
      const deleted = await saved.delete(project, noteFile(id));
      if (deleted === undefined) throw noNote(id);
      return deleted;
    });
  }

  /** Overwrites a note, then compares the new text with other chunks. */
  async #rewrite(projectPath: string, change: NoteChange): Promise<SavedNote> {
    const project = await openWithNote(this.#options, projectPath, change.id);
    const rewritten = await this.#changes.run(project, () =>
      rewriteNote(this.#options, project, change),
    );
    return reportNote(this.#options, project, rewritten);
  }
}

/** Properties that a note keeps when it is replaced. */
type Origin = Partial<Pick<NoteRecord, 'created' | 'author' | 'session'>>;

function keptOrigin({ created, author, session }: NoteRecord): Origin {
  return {
    ...(created !== undefined && { created }),
    ...(author !== undefined && { author }),
    ...(session !== undefined && { session }),
  };
}
