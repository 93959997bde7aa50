import { invalidRequest, KnowledgeError } from '../../domain/errors.js';
import { NOTE_CONTENT_MAX_CHARACTERS, NOTE_TITLE_MAX_CHARACTERS } from '../../domain/limits.js';
import { noteText } from '../../domain/saved/note-text.js';
import { noteIdFor } from '../../domain/saved/saved-names.js';
import { type SavedText, savedText } from '../../domain/saved/saved-text.js';
import { leadsBack, supersessionsOf } from '../../domain/saved/supersession.js';
import type { Clock } from '../../ports/clock.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { Answer } from '../../schemas/checks.js';
import type {
  AddNoteRequest,
  DeleteNoteRequest,
  knownNote,
  ReplaceNoteRequest,
  savedNote,
} from '../../schemas/saved.js';
import { ExclusiveChanges } from '../leases.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import { type ExistingTextDeps, findExistingText } from './existing-text.js';
import type { SavedFiles } from './saved-files.js';

interface NotesOptions extends ExistingTextDeps {
  readonly projects: Projects;
  readonly saved: SavedFiles;
  readonly frontmatter: FrontmatterParser;
  readonly clock: Clock;
}

type SavedNote = Answer<typeof savedNote>;
type Note = Pick<AddNoteRequest, 'title' | 'content' | 'tags' | 'importance' | 'supersedes'>;

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
    const text = textOf(this.#options, note);
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
   * Replaces a note with everything it has: tags, importance and `supersedes` that are left out, in the frontmatter as well,
   * are gone.
   * @throws KnowledgeError `not_found`
   */
  async replace({ projectPath, id, ...note }: ReplaceNoteRequest): Promise<SavedNote> {
    const { projects, saved } = this.#options;
    const project = await projects.open(projectPath);
    const text = textOf(this.#options, note);
    return this.#changes.run(project, async () => {
      if (!(await saved.exists(project, fileOf(id)))) throw noNote(id);
      await checkSupersedes(this.#options, project, { ...note, id });
      return { id, ...(await saved.write(project, fileOf(id), savedText(text))) };
    });
  }

  /**
   * Deletes a note with its chunks. Returns how many chunks it had.
   * @throws KnowledgeError `not_found`
   */
  async delete({ projectPath, id }: DeleteNoteRequest): Promise<number> {
    const { projects, saved } = this.#options;
    const file = fileOf(id);
    const project = await projects.openWhere(projectPath, (located) => saved.exists(located, file));
    if (project === undefined) throw noNote(id);
    return this.#changes.run(project, async () => {
      const deleted = await saved.delete(project, file);
      if (deleted === undefined) throw noNote(id);
      return deleted;
    });
  }

  /** What the note supersedes may say the same. */
  #known(project: Project, { title, content, metadata: { supersedes } }: SavedText) {
    const { saved } = this.#options;
    const except =
      typeof supersedes === 'string' ? saved.pathOf(project, fileOf(supersedes)) : undefined;
    return findExistingText(this.#options, project, { title, content, except });
  }

  async #create(project: Project, id: string, text: SavedText): Promise<SavedNote> {
    const created = await this.#options.saved.create(project, fileOf(id), savedText(text));
    if (created !== undefined) return { id, ...created };
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
    return { id: name, ...created };
  }
}

function fileOf(id: string) {
  return { sourceType: 'manual', name: id } as const;
}

function noNote(id: string): KnowledgeError {
  return new KnowledgeError('not_found', `There is no note with the id "${id}".`);
}

/** @throws KnowledgeError `invalid_request` if the note would supersede one that does not exist, or leads back to it */
async function checkSupersedes(
  { saved }: Pick<NotesOptions, 'saved'>,
  project: Project,
  { id, supersedes }: Pick<AddNoteRequest, 'id' | 'supersedes'>,
): Promise<void> {
  if (supersedes === undefined) return;
  if (!(await saved.exists(project, fileOf(supersedes)))) {
    throw invalidRequest(`supersedes must be the id of a note; "${supersedes}" does not exist.`);
  }
  if (id === undefined) return;
  const link = {
    sourceFile: saved.pathOf(project, fileOf(id)),
    supersedes: saved.pathOf(project, fileOf(supersedes)),
  };
  const links = supersessionsOf(await project.store.chunks.indexedSources('superseding'));
  if (leadsBack(link, links)) {
    throw invalidRequest(
      `supersedes must not lead back to the note itself, as "${supersedes}" does.`,
    );
  }
}

function textOf({ frontmatter }: NotesOptions, note: Note): SavedText {
  checkText('content', note.content, NOTE_CONTENT_MAX_CHARACTERS);
  const text = noteText(note, (yaml) => frontmatter.parse(yaml, 'a note'));
  checkText('title', text.title, NOTE_TITLE_MAX_CHARACTERS);
  checkText('content', text.content, NOTE_CONTENT_MAX_CHARACTERS);
  return text;
}

/** @throws KnowledgeError `invalid_request` if a text is blank or longer than `max` characters */
function checkText(name: string, text: string, max: number): void {
  if (text.trim() === '') throw invalidRequest(`${name} must not be blank.`);
  if (text.length > max) throw invalidRequest(`${name} must have at most ${max} characters.`);
}
