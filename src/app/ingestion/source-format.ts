import type { DraftChunk, SourceType } from '../../domain/chunks/chunk.js';
import type { SourceNames } from '../../domain/chunks/source-names.js';
import type { FileReading } from '../../ports/project-files.js';

/**
 * How files of one kind are read and cut. All sources of a kind share one object, because a project may have 100,000.
 */
export interface SourceFormat {
  readonly sourceType: SourceType;
  readonly read: (project: string, sourceFile: string) => Promise<FileReading>;
  /** Prefix of the content hash. Names everything that the chunks depend on, except the text. */
  readonly hashPrefix: string;
  readonly cut: (text: string, sourceFile: string) => CutSource;
  /** Returns why parts of a text are not used. */
  readonly problems: (text: string, sourceFile: string) => readonly string[];
  /** The source file that a text supersedes; only for notes. */
  readonly supersedes?: (text: string, file: ProjectFile) => string | undefined;
  /** The day from which searches leave out the source, as `2026-12-31`; only for notes. */
  readonly expires?: (text: string, sourceFile: string) => string | undefined;
}

interface CutSource {
  readonly chunks: readonly DraftChunk[];
  readonly names: SourceNames;
}

interface ProjectFile {
  readonly project: string;
  readonly sourceFile: string;
}
