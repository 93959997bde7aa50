/** A document that somebody sends to the service. */
export interface Document {
  /**
   * Relative to the folder of documents, with `/`; at most 500 characters. The ending `.md` is added where there is none.
   */
  readonly path: string;
  /** Markdown, not blank, at most 1,000,000 characters; frontmatter counts as in a file. */
  readonly content: string;
  /** Of every chunk, at most 64, each of 1 to 100 characters; default: those of the frontmatter. */
  readonly tags?: readonly string[];
  /** 0 to 1, of every chunk; default: that of the frontmatter, else the setting `defaultImportance`. */
  readonly importance?: number;
}

/** A document as the index holds it now. */
export interface PushedDocument {
  /** Its file, relative to the project. */
  readonly sourceFile: string;
  /** Number of its chunks in the index. */
  readonly chunks: number;
  /** Whether there was no document under this path before. */
  readonly isNew: boolean;
}

/** Documents that are pushed (docs/specification.md, "Knowledge in"): files that nobody has to put there. */
export interface DocumentsService {
  /**
   * Writes the file of a document, new or not; a keyword search finds it when this returns. `deleteSource` removes both.
   * @throws KnowledgeError `invalid_request`; `path_not_allowed` if a link is in the way; `storage_full`
   */
  pushDocument(projectPath: string, document: Document): Promise<PushedDocument>;
}
