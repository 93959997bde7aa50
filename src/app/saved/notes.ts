import { KnowledgeError } from '../../domain/errors.js';
import type { NoteRecord } from '../../domain/saved/note-record.js';
import { noteIdFor } from '../../domain/saved/saved-names.js';
import { type SavedText, savedText } from '../../domain/saved/saved-text.js';
import type { Clock } from '../../ports/clock.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { Answer } from '../../schemas/checks.js';
import type {
  AddNoteRequest,
  DeleteNoteRequest,
  knownNote,
  ReplaceNoteRequest,
  savedNote,
} from '../../schemas/notes.js';
import { ExclusiveChanges } from '../leases.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import { type ExistingTextDeps, findExistingText } from './existing-text.js';
import { checkedText, checkSupersedes } from './note-checks.js';
import { checkVersion, hashVersion, noNote, noteFile, readNote } from './note-files.js';
import type { SavedFiles } from './saved-files.js';

interface NotesOptions extends ExistingTextDeps {
  readonly projects: Projects;
  readonly saved: SavedFiles;
  readonly frontmatter: FrontmatterParser;
  readonly clock: Clock;
}

type SavedNote = Answer<typeof savedNote>;
type Note = Pick<
  AddNoteRequest,
  'title' | 'content' | 'tags' | 'importance' | 'supersedes' | 'expires' | 'author' | 'session'
>;
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
      const saved =
        note.id === undefined
          ? await this.#createUnderFreeId(project, note, text)
          : await this.#create(project, note.id, text);
      return { ...saved, ...(similarTo !== undefined && { similarTo }) };
    });
  }

  /**
   * Replaces a note with everything it has: tags, importance, `expires` and `supersedes` that are left out, in the frontmatter as
   * well, are gone; with `leftOut: 'kept'` the note keeps the first three. It always keeps the time when it was created, and who wrote it.
   * @throws KnowledgeError `not_found`; `changed` if it no longer has the version `ifVersion`
   */
  async replace(
    { projectPath, id, ifVersion, ...note }: ReplaceNoteRequest,
    leftOut: 'removed' | 'kept' = 'removed',
  ): Promise<SavedNote> {
    const { projects } = this.#options;
    const project = await projects.open(projectPath);
    checkedText(this.#options, note);
    return this.#changes.run(project, async () => {
      await checkSupersedes(this.#options, project, { ...note, id });
      const written = await this.#rewrite(project, { id, ifVersion }, (before) =>
        leftOut === 'kept' ? { ...keptProperties(before), ...note } : note,
      );
      return { id, ...written };
    });
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
    project: Project,
    { id, ifVersion }: { readonly id: string; readonly ifVersion: string | undefined },
    change: (before: NoteRecord) => Note,
  ): Promise<Omit<SavedNote, 'id'>> {
    const { saved, clock } = this.#options;
    const updated = clock.now().toISOString();
    for (let attempt = 0; attempt < REWRITE_ATTEMPTS; attempt += 1) {
      const before = await readNote(saved, project, id);
      if (before === undefined) throw noNote(id);
      checkVersion(before, { id, ifVersion });
      const text = savedText(
        checkedText(this.#options, { ...change(before), updated, ...keptOrigin(before) }),
      );
      const { fileVersion } = before;
      const written = await saved.replace(project, noteFile(id), { text, fileVersion });
      if (written !== undefined) return { ...written, version: await hashVersion(text) };
    }
    throw new KnowledgeError(
      'store_unavailable',
      'The note is being changed by another program; try again shortly.',
    );
  }

  /** What the note supersedes may say the same. */
  #known(project: Project, { title, content, metadata: { supersedes } }: SavedText) {
    const { saved } = this.#options;
    const except =
      typeof supersedes === 'string' ? saved.pathOf(project, noteFile(supersedes)) : undefined;
    return findExistingText(this.#options, project, { title, content, except });
  }

  async #create(project: Project, id: string, text: SavedText): Promise<SavedNote> {
    const whole = savedText(text);
    const created = await this.#options.saved.create(project, noteFile(id), whole);
    if (created !== undefined) return { id, ...created, version: await hashVersion(whole) };
    throw new KnowledgeError(
      'conflict',
      `There is already a note with the id "${id}"; replace it, or choose another id.`,
    );
  }

  async #createUnderFreeId(project: Project, note: Note, text: SavedText): Promise<SavedNote> {
    const choose = async (taken: readonly string[]) => {
      const id = noteIdFor(text.title, taken);
      await checkSupersedes(this.#options, project, { ...note, id });
      return id;
    };
    const file = { sourceType: 'manual', text: savedText(text), choose } as const;
    const { name, ...created } = await this.#options.saved.createUnderFreeName(project, file);
    return { id: name, ...created, version: await hashVersion(file.text) };
  }
}

const REWRITE_ATTEMPTS = 5;

function keptProperties({ tags, importance, expires }: NoteRecord) {
  return {
    ...(tags !== undefined && { tags: [...tags] }),
    ...(importance !== undefined && { importance }),
    ...(expires !== undefined && { expires }),
  };
}

function keptOrigin({ created, author, session }: NoteRecord): Origin {
  return {
    ...(created !== undefined && { created }),
    ...(author !== undefined && { author }),
    ...(session !== undefined && { session }),
  };
}
