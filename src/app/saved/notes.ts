import { invalidRequest, KnowledgeError } from '../../domain/errors.js';
import type { NoteRecord } from '../../domain/saved/note-record.js';

import { type SavedText, savedText } from '../../domain/saved/saved-text.js';
import type { Clock } from '../../ports/clock.js';
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
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import { type ExistingTextDeps, findExistingText } from './existing-text.js';
import { checkedChanges, checkedText, checkSupersedes } from './note-checks.js';
import { createNote } from './note-creation.js';
import {
  checkVersion,
  hashVersion,
  noNote,
  noteFile,
  readNote,
  type StoredNote,
} from './note-files.js';
import type { SavedFiles } from './saved-files.js';

interface NotesOptions extends ExistingTextDeps {
  readonly projects: Projects;
  readonly saved: SavedFiles;
  readonly frontmatter: FrontmatterParser;
  readonly clock: Clock;
}

type SavedNote = Answer<typeof savedNote>;
/** What is known of a note besides what its writer gives. */
type Origin = Partial<Pick<NoteRecord, 'created' | 'author' | 'session'>>;

/**
 * Notes: knowledge that is added by hand, as files in `<appdir>/notes`. A keyword search finds a note as soon as a method
 * returns (docs/specification.md, "Knowledge in").
 *
 * Every method may throw KnowledgeError `invalid_request` (also for a `supersedes` that does not exist or leads back to the
 * note), and `path_not_allowed` where a link is in the way of the file.
 */
export class Notes {
  readonly #options: NotesOptions;
  /** One change after the other, so that what one has saved is known to the next. */
  readonly #changes: ExclusiveChanges;

  constructor(options: NotesOptions) {
    this.#options = options;
    this.#changes = new ExclusiveChanges(options.clock, 'notes');
  }

  /**
   * Saves a note, unless the store already says the same, except for white space; what it supersedes does not count.
   * @throws KnowledgeError `conflict` if there is a note with this `id`
   */
  async add({
    projectPath,
    ...note
  }: AddNoteRequest): Promise<SavedNote | Answer<typeof knownNote>> {
    const project = await this.#options.projects.open(projectPath);
    const created = this.#options.clock.now().toISOString();
    const text = checkedText(this.#options, { ...note, created, updated: created });
    return this.#changes.run(project, async () => {
      await checkSupersedes(this.#options, project, note);
      const { same, similar: similarTo = same } = await this.#known(project, text);
      if (same !== undefined && note.force !== true) return { duplicateOf: same };
      const saved = await createNote(this.#options, project, { ...note, text });
      return { ...saved, ...(similarTo !== undefined && { similarTo }) };
    });
  }

  /**
   * Replaces a note with everything it has: tags, importance, `expires` and `supersedes` that are left out, in the frontmatter as
   * well, are gone. It keeps the time when it was created, and who wrote it.
   * @throws KnowledgeError `not_found`; `changed` if it no longer has the version `ifVersion`
   */
  async replace({ projectPath, id, ifVersion, ...note }: ReplaceNoteRequest): Promise<SavedNote> {
    checkedText(this.#options, note);
    const target = { projectPath, id, ifVersion, supersedes: note.supersedes };
    return this.#rewrite(target, (before, updated) =>
      savedText(checkedText(this.#options, { ...note, updated, ...keptOrigin(before) })),
    );
  }

  /**
   * Changes or adds what is given of a note; everything else of its file stays.
   * @throws KnowledgeError `not_found`; `changed` if it no longer has the version `ifVersion`
   */
  async change({ projectPath, id, ifVersion, ...changes }: ChangeNoteRequest): Promise<SavedNote> {
    if (changes.append !== undefined && changes.content !== undefined) {
      throw invalidRequest('Only one of content and append can be set.');
    }
    const target = { projectPath, id, ifVersion, supersedes: changes.supersedes };
    return this.#rewrite(target, (before, updated) =>
      checkedChanges(this.#options, before, { ...changes, updated }),
    );
  }

  /**
   * Deletes a note with its chunks. Returns how many chunks it had.
   * @throws KnowledgeError `not_found`; `changed` if it no longer has the version `ifVersion`
   */
  async delete({ projectPath, id, ifVersion }: DeleteNoteRequest): Promise<number> {
    const { projects, saved } = this.#options;
    const file = noteFile(id);
    const project = await projects.openWhere(projectPath, (located) => saved.exists(located, file));
    if (project === undefined) throw noNote(id);
    return this.#changes.run(project, async () => {
      const note = ifVersion === undefined ? undefined : await readNote(saved, project, id);
      if (note !== undefined) checkVersion(note, { id, ifVersion });
      const deleted = await saved.delete(project, file);
      if (deleted === undefined) throw noNote(id);
      return deleted;
    });
  }

  /** Writes over the version that was read; a file that somebody saves at that moment is read again. */
  async #rewrite(
    { projectPath, ...target }: RewrittenNote,
    textAfter: (before: StoredNote, updated: string) => string,
  ): Promise<SavedNote> {
    const project = await this.#options.projects.open(projectPath);
    return this.#changes.run(project, async () => {
      await checkSupersedes(this.#options, project, target);
      for (let attempt = 0; attempt < REWRITE_ATTEMPTS; attempt += 1) {
        const written = await this.#rewriteOnce(project, target, textAfter);
        if (written !== undefined) return written;
      }
      throw new KnowledgeError(
        'store_unavailable',
        'The note is being changed by another program; try again shortly.',
      );
    });
  }

  /** Undefined, and nothing is written, if the file changes meanwhile. */
  async #rewriteOnce(
    project: Project,
    { id, ifVersion }: Omit<RewrittenNote, 'projectPath'>,
    textAfter: (before: StoredNote, updated: string) => string,
  ): Promise<SavedNote | undefined> {
    const { saved, clock } = this.#options;
    const before = await readNote(saved, project, id);
    if (before === undefined) throw noNote(id);
    checkVersion(before, { id, ifVersion });
    const text = textAfter(before, clock.now().toISOString());
    const { fileVersion } = before;
    const written = await saved.replace(project, noteFile(id), { text, fileVersion });
    return written && { id, ...written, version: await hashVersion(text) };
  }

  /** What the note supersedes may say the same. */
  #known(project: Project, { title, content, metadata: { supersedes } }: SavedText) {
    const { saved } = this.#options;
    const except =
      typeof supersedes === 'string' ? saved.pathOf(project, noteFile(supersedes)) : undefined;
    return findExistingText(this.#options, project, { title, content, except });
  }
}

const REWRITE_ATTEMPTS = 5;

interface RewrittenNote extends Pick<ReplaceNoteRequest, 'projectPath' | 'id'> {
  readonly ifVersion: string | undefined;
  readonly supersedes: string | undefined;
}

function keptOrigin({ created, author, session }: NoteRecord): Origin {
  return {
    ...(created !== undefined && { created }),
    ...(author !== undefined && { author }),
    ...(session !== undefined && { session }),
  };
}
