import { DEFAULT_IMPORTANCE } from '../../domain/limits.js';
import { noteName } from '../../domain/saved/note-names.js';
import type { NoteRecord } from '../../domain/saved/note-record.js';
import { listSupersessions, supersededBy } from '../../domain/saved/supersession.js';
import type { Answer } from '../../schemas/checks.js';
import type { fullNote, NoteRequest, NotesRequest, noteList } from '../../schemas/notes.js';
import { eventLoop } from '../../shared/in-batches.js';
import type { Projects } from '../projects/projects.js';
import { checkScope } from './note-checks.js';
import { noNote, noteFile, readNote, requireNoteName } from './note-files.js';
import type { ProjectFolder, SavedFiles } from './saved-files.js';

interface NoteReadingOptions {
  readonly projects: Projects;
  readonly saved: SavedFiles;
  readonly stale: StaleSources;
}

/** Lists files that have chunks with outdated citations. */
interface StaleSources {
  list(request: {
    readonly projectPath: string;
  }): Promise<readonly { readonly sourceFile: string }[]>;
}

type Listed = Answer<typeof noteList>['notes'][number];

/** Reads notes from their files. Creates nothing. */
export class NoteReading {
  readonly #options: NoteReadingOptions;

  constructor(options: NoteReadingOptions) {
    this.#options = options;
  }

  /** All readable notes, newest first. */
  async list({ projectPath, scope }: NotesRequest): Promise<readonly Listed[]> {
    checkScope({ scope });
    const { projects, saved } = this.#options;
    const project = saved.withFolder(await projects.locate(projectPath));
    const names = await saved.names(project, 'manual');
    const marks = names.length === 0 ? NO_MARKS : await this.#marks(projectPath);
    const notes: Listed[] = [];
    for (const name of names) {
      await eventLoop();
      const note = await readNote(saved, project, name);
      if (note !== undefined) notes.push(this.#show(project, { name, note, marks }));
    }
    return notes.toSorted(newestFirst);
  }

  /** @throws KnowledgeError `not_found` */
  async get({ projectPath, id: given }: NoteRequest): Promise<Answer<typeof fullNote>> {
    const { projects, saved } = this.#options;
    const project = await projects.locate(projectPath);
    const id = await requireNoteName(saved, project, given);
    const note = await readNote(saved, project, id);
    if (note === undefined) throw noNote(id);
    const { content, importance = DEFAULT_IMPORTANCE, author, session } = note;
    const listed = this.#show(project, { name: id, note, marks: await this.#marks(projectPath) });
    return {
      ...listed,
      content,
      importance,
      ...(author !== undefined && { author }),
      ...(session !== undefined && { session }),
    };
  }

  #show(project: ProjectFolder, { name, note, marks }: Shown): Listed {
    const sourceFile = this.#options.saved.toPath(project, noteFile(name));
    const { title, tags, created, updated, version, expires } = note;
    const newer = marks.superseded.get(sourceFile);
    return {
      id: name,
      sourceFile,
      title,
      updated,
      version,
      scope: 'project',
      ...(tags !== undefined && { tags: [...tags] }),
      ...(created !== undefined && { created }),
      ...(expires !== undefined && { expires }),
      ...(newer !== undefined && { supersededBy: noteName(newer) }),
      ...(marks.stale.has(sourceFile) && { stale: true }),
    };
  }

  /** Reads from the index which notes are superseded or have outdated citations; empty without a store. */
  async #marks(projectPath: string): Promise<Marks> {
    const project = await this.#options.projects.find(projectPath);
    if (project === undefined) return NO_MARKS;
    const stale = await this.#options.stale.list({ projectPath });
    const superseding = await project.store.chunks.indexedSources('superseding');
    return {
      superseded: supersededBy(listSupersessions(superseding)),
      stale: new Set(stale.map(({ sourceFile }) => sourceFile)),
    };
  }
}

interface Marks {
  /** The superseding file of each superseded source file. */
  readonly superseded: ReadonlyMap<string, string>;
  readonly stale: ReadonlySet<string>;
}

interface Shown {
  readonly name: string;
  readonly note: NoteRecord;
  readonly marks: Marks;
}

const NO_MARKS: Marks = { superseded: new Map(), stale: new Set() };

function newestFirst(a: Listed, b: Listed): number {
  return Date.parse(b.updated) - Date.parse(a.updated) || (a.id < b.id ? -1 : 1);
}
