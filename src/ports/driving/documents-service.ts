import type { PushedType } from '../../domain/pushed-document.js';

/** A document of somebody who shares no disk with the service. */
export interface Document {
  /** Relative to the project, with `/`; at most 1,000 characters, not in the application directory. */
  readonly path: string;
  /** Markdown, not blank, at most 1,000,000 characters; frontmatter counts as in a file. */
  readonly content: string;
  /** Default `file`. Of an `agent_output` the last 2,000 characters are one chunk, as of one that is a file. */
  readonly sourceType?: PushedType;
  /** Heading of chunks without one of their own; default: the first `#` title. At most 1,000 characters. */
  readonly title?: string;
  /** Of every chunk, at most 64, each of 1 to 100 characters; default: those of the frontmatter. */
  readonly tags?: readonly string[];
  /** 0 to 1, of every chunk; default: that of the frontmatter, else 0.8 for a reflection, 0.6 for an agent output, and the setting `defaultImportance`. */
  readonly importance?: number;
}

/** A document as the index holds it now. */
export interface PushedDocument {
  /** Its path. */
  readonly sourceFile: string;
  /** Number of its chunks in the index. */
  readonly chunks: number;
  /** Whether no document was pushed under this path before. */
  readonly isNew: boolean;
  /** Whether its content or metadata differ from before; true for a new one. */
  readonly changed: boolean;
}

/**
 * Documents that are pushed instead of read from files (docs/specification.md, "Knowledge in"). Only the
 * store has them: ingestions leave them alone, and `deleteSource` removes them.
 */
export interface DocumentsService {
  /**
   * Stores a document, in place of the one that was pushed under its path before.
   * Idempotent; chunks of it that were pruned are restored. A keyword search finds it when this returns.
   * @throws KnowledgeError `invalid_request`, and `conflict` if the path is that of a file of the project
   */
  pushDocument(projectPath: string, document: Document): Promise<PushedDocument>;
}
