/** A piece of knowledge that somebody wants to keep. */
export interface Note {
  /** Not blank, at most 1,000 characters; a line break becomes a space. */
  readonly title: string;
  /**
   * Markdown, not blank, at most 1,000,000 characters. Frontmatter and the title at its beginning are taken as such; the
   * fields of the note come before those of the frontmatter.
   */
  readonly content: string;
  /** At most 64, each of at most 100 characters; not blank. */
  readonly tags?: readonly string[];
  /** 0 to 1; default 0.5. */
  readonly importance?: number;
  /** Id of another note, which this one replaces: searches no longer find that, and its file stays. */
  readonly supersedes?: string;
}

export interface NewNote extends Note {
  /** `[a-z0-9][a-z0-9_-]*`, at most 64 characters; default: made from the title, with a number if that is taken. */
  readonly id?: string;
  /** Whether to save a note even if the store already says the same; default false. */
  readonly force?: boolean;
}

/** A note that was saved. */
export interface SavedNote {
  readonly id: string;
  readonly sourceFile: string;
  /** Number of chunks that the index holds of it. */
  readonly chunks: number;
  /** Id of a chunk with nearly the same words, or of a note with the same title; absent where a note was replaced. */
  readonly similarTo?: string;
}

/** A note that was not saved, because a chunk has the same words in the same order. */
export interface KnownNote {
  /** Id of that chunk. */
  readonly duplicateOf: string;
}

/**
 * Notes: knowledge that is added by hand, as files in `<appdir>/notes`. A keyword search finds a note
 * as soon as a method returns (docs/specification.md, "Knowledge in").
 *
 * Every method may throw KnowledgeError `invalid_request` (also for a `supersedes` that does not exist or leads back
 * to the note), and `path_not_allowed` where a link is in the way of the file.
 */
export interface NotesService {
  /**
   * Saves a note, unless the store already says the same, word for word; what it supersedes does not count.
   * @throws KnowledgeError `conflict` if there is a note with this `id`
   */
  addNote(projectPath: string, note: NewNote): Promise<SavedNote | KnownNote>;
  /**
   * Replaces a note with everything it has: tags, importance and `supersedes` that are left out, in the
   * frontmatter as well, are gone.
   * @throws KnowledgeError `not_found`
   */
  replaceNote(projectPath: string, id: string, note: Note): Promise<SavedNote>;
  /**
   * Deletes a note with its chunks. Returns how many chunks it had.
   * @throws KnowledgeError `not_found`
   */
  deleteNote(projectPath: string, id: string): Promise<number>;
}
