import { KNOWN_READINGS_MAX } from '../../domain/limits.js';
import type { FileReading, ProjectFileReader, TextFile } from '../../ports/driven/project-files.js';

/** A file of a project. */
interface ProjectFile {
  readonly sourceFile: string;
}

/** The same, and how it is read. */
export interface ReadableFile extends ProjectFile {
  readonly read: () => Promise<FileReading>;
}

/**
 * Reads files and remembers whether that was possible, by the version of the file: to list what is skipped,
 * only files that have changed since are read again.
 */
export class KnownReadings {
  readonly #files: UsedFiles;
  readonly #outcomes = new Map<string, Outcome>();

  constructor(files: UsedFiles) {
    this.#files = files;
  }

  async read(project: string, { sourceFile, read }: ReadableFile): Promise<FileReading> {
    const reading = await read();
    if (reading !== undefined && 'version' in reading) {
      const { version, hash, file, isSettled } = reading;
      const known = isSettled ? { content: { hash, file } } : {};
      this.#remember(keyOf(project, sourceFile), { version, ...known });
    }
    return reading;
  }

  /** Why the file as it is now cannot be read; undefined if it can, or does not exist. */
  async whySkipped(project: string, file: ReadableFile): Promise<string | undefined> {
    const key = keyOf(project, file.sourceFile);
    const stat = await this.#files.statOf(project, file.sourceFile);
    if (stat === undefined || 'skipped' in stat) return stat?.skipped;
    const known = this.#outcomes.get(key);
    if (known?.version === stat.version) return known.skipped;
    const reading = await file.read();
    const skipped = reading !== undefined && 'skipped' in reading ? reading.skipped : undefined;
    this.#remember(key, { version: stat.version, skipped });
    return skipped;
  }

  /** What was read of the file as it is now; undefined if that is unknown. Reads nothing. */
  async contentOf(project: string, { sourceFile }: ProjectFile): Promise<KnownContent | undefined> {
    const known = this.#outcomes.get(keyOf(project, sourceFile));
    if (known?.content === undefined) return undefined;
    return (await this.isStill(project, { sourceFile, ...known })) ? known.content : undefined;
  }

  /** A change of who may read the file is a change of its version. */
  isStill(
    project: string,
    { sourceFile, version }: ProjectFile & Pick<Outcome, 'version'>,
  ): Promise<boolean> {
    return this.#files.isStill(project, sourceFile, version);
  }

  async isReadable(project: string, { sourceFile }: ProjectFile): Promise<boolean> {
    const stat = await this.#files.statOf(project, sourceFile);
    return stat !== undefined && !('skipped' in stat);
  }

  #remember(key: string, outcome: Outcome): void {
    if (this.#outcomes.size >= KNOWN_READINGS_MAX && !this.#outcomes.has(key)) {
      this.#outcomes.clear();
    }
    this.#outcomes.set(key, outcome);
  }
}

type UsedFiles = Pick<ProjectFileReader, 'statOf' | 'isStill'>;

/** How the reading of one version of a file ended. */
interface Outcome {
  readonly version: string;
  readonly skipped?: string | undefined;
  /** Absent where a later write might leave the version as it is. */
  readonly content?: KnownContent;
}

/** Of a text that was read. */
export type KnownContent = Pick<TextFile, 'hash' | 'file'>;

function keyOf(project: string, sourceFile: string): string {
  return `${project}\n${sourceFile}`;
}
