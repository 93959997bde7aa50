import { invalidRequest, KnowledgeError } from '../../domain/errors.js';
import { lineEndWarnings } from '../../domain/saved/note-warnings.js';
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
import type { Project } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import type { Projects } from '../projects/projects.js';
import { findCandidates, findSame } from './existing-text.js';
import {
  checkedChanges,
  checkedText,
  checkNewId,
  checkScope,
  checkSupersedes,
  checkWholeAnswer,
} from './note-checks.js';
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
import {
  checkSecrets,
  keptOrigin,
  type Origin,
  type RewritingDeps,
  rewriteOnce,
  type TextAfter,
} from './note-rewriting.js';

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
   * Saves a note, unless the same text is already stored, except for white space; superseded notes do not count.
   * @throws KnowledgeError `conflict` if there is a note with this `id`
   */
  async add({
    projectPath,
    scope,
    ...given
  }: AddNoteRequest): Promise<SavedNote | Answer<typeof knownNote>> {
    checkScope({ scope });
    const id = checkNewId(given.id);
    checkedText(this.#options, given);
    const project = await this.#options.projects.open(projectPath);
    const created = this.#options.clock.now().toISOString();
    const note = { ...given, projectPath, id, created };
    const written = await this.#changes.run(project, () => this.#write(project, note));
    if (written.saved === undefined) return { duplicateOf: written.duplicateOf };
    return reportNote(this.#options, project, written);
  }

  /**
   * Replaces a whole note: tags, importance, `expires` and `supersedes` are removed unless the request or the
   * frontmatter of its content gives them. Keeps the creation time, author and session.
   * @throws KnowledgeError `not_found`; `changed` if it no longer has the version `ifVersion`
   */
  async replace({ projectPath, id, ifVersion, ...note }: ReplaceNoteRequest): Promise<SavedNote> {
    checkedText(this.#options, note);
    const target = { projectPath, id, ifVersion, ...note };
    return this.#rewrite(target, (before, known) =>
      savedText(checkedText(this.#options, { ...note, ...known, ...keptOrigin(before) })),
    );
  }

  /**
   * Sets the given properties of a note; the rest of its file stays.
   * @throws KnowledgeError `not_found`; `changed` if it no longer has the version `ifVersion`
   */
  async change({ projectPath, id, ifVersion, ...changes }: ChangeNoteRequest): Promise<SavedNote> {
    if (changes.append !== undefined && changes.content !== undefined) {
      throw invalidRequest('Only one of content and append can be set.');
    }
    const target = { projectPath, id, ifVersion, ...changes };
    return this.#rewrite(target, (before, known) =>
      checkedChanges(this.#options, before, { ...changes, ...known }),
    );
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

  /** Writes a new note; returns only the name of the chunk that has the same text, if there is one. */
  async #write(project: OpenProject, given: NewNote) {
    const supersedes = await checkSupersedes(this.#options, project, given);
    const text = checkedText(this.#options, { ...given, supersedes, updated: given.created });
    const file = savedText(text);
    const warnings = [...checkSecrets(this.#options, file), ...lineEndWarnings(given.content)];
    const except = this.#supersededFiles(project, text.metadata['supersedes']);
    const candidates = await findCandidates(this.#options, project, { ...text, except });
    const same = findSame(text, candidates);
    if (same !== undefined && given.force !== true) return { duplicateOf: same.id };
    const created = { id: given.id, supersedes, title: text.title, text: file };
    const saved = await createNote(this.#options, project, created);
    return {
      saved,
      warnings,
      candidates,
      text: { ...text, except: [...except, saved.sourceFile] },
    };
  }

  /** Overwrites the version that was read; retries if the file changes in between. */
  async #rewrite(
    { projectPath, ...given }: RewrittenNote,
    textAfter: TextAfter,
  ): Promise<SavedNote> {
    const project = await openWithNote(this.#options, projectPath, given.id);
    const { note, ...written } = await this.#changes.run(project, async () => {
      const id = await requireNoteName(this.#options.saved, project, given.id);
      const supersedes = await checkSupersedes(this.#options, project, { ...given, id });
      await checkWholeAnswer(this.#options.saved, project, { ...given, id });
      const target = { id, ifVersion: given.ifVersion, supersedes };
      for (let attempt = 0; attempt < REWRITE_ATTEMPTS; attempt += 1) {
        const once = await rewriteOnce(this.#options, { project, ...target }, textAfter);
        if (once !== undefined) return once;
      }
      throw new KnowledgeError('store_unavailable', BUSY);
    });
    const { title = note.title, content = note.content, append = content } = given;
    const superseded = this.#supersededFiles(project, note.supersedes);
    const except = [...superseded, written.saved.sourceFile];
    const text = { title, content: append, except };
    const warnings = [...written.warnings, ...lineEndWarnings(given.append ?? given.content)];
    return reportNote(this.#options, project, { ...written, warnings, text });
  }

  /** A superseded note may have the same text. */
  #supersededFiles(project: Project, id: unknown): readonly string[] {
    return typeof id === 'string' ? [this.#options.saved.toPath(project, noteFile(id))] : [];
  }
}

const BUSY = 'The note is being changed by another program; try again shortly.';
const REWRITE_ATTEMPTS = 5;

type NewNote = Omit<AddNoteRequest, 'scope' | 'id'> & Origin & { readonly id: string | undefined };

interface RewrittenNote extends Omit<ChangeNoteRequest, 'ifVersion'> {
  readonly ifVersion: string | undefined;
}
