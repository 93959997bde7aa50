import type { DraftChunk, SourceDocument, SourceType } from '../../domain/chunks/chunk.js';
import type { ProjectFileReader, SkippedFile } from '../../ports/project-files.js';
import type { SkippedSource } from '../../schemas/sources.js';
import type { SourceFormat } from './source-format.js';

/** A source that was read but not parsed yet. */
export interface ReadSource {
  /** Equal hashes mean equal chunks. */
  readonly contentHash: string;
  readonly version: string;
  toDocument(): SourceDocument;
  /** Returns why parts of the text are not used. */
  findProblems(): readonly string[];
}

/** Facts about a source that is not read again. */
export interface KnownSource extends Pick<ReadSource, 'contentHash' | 'version'> {
  /** Why parts of the file are not used; undefined if not determined yet. */
  readonly problems?: readonly string[];
}

export interface SourceFiles {
  readonly project: string;
  readonly files: Pick<ProjectFileReader, 'statOf' | 'isStill'>;
  readonly format: SourceFormat;
  /** Files already read, by project and path; shared by all listings. */
  readonly readings: Map<string, KnownSource>;
}

/** A file of a project that can be indexed. */
export class Source {
  readonly sourceFile: string;
  readonly #from: SourceFiles;

  constructor(from: SourceFiles, sourceFile: string) {
    this.#from = from;
    this.sourceFile = sourceFile;
  }

  get sourceType(): SourceType {
    return this.#from.format.sourceType;
  }

  /** Reads the file as it is now; undefined if it does not exist. */
  async read(): Promise<ReadSource | SkippedFile | undefined> {
    const { format, project } = this.#from;
    const { sourceType, sourceFile } = this;
    if (Buffer.byteLength(sourceFile) > SOURCE_PATH_MAX_BYTES) return { skipped: TOO_LONG };
    const reading = await format.read(project, sourceFile);
    if (reading === undefined || 'skipped' in reading) return reading;
    const { text, hash, version, isSettled, firstLine = 1 } = reading;
    // join() yields a flat string; concatenation would keep a rope alive. See project-layout.ts.
    const contentHash = [format.hashPrefix, hash].join('');
    if (isSettled) this.#remember({ contentHash, version });
    const toDocument = (): SourceDocument => {
      const { chunks: cut, names } = format.cut(text, sourceFile);
      const chunks = firstLine === 1 ? cut : cut.map((chunk) => withLineFrom(chunk, firstLine));
      const supersedes = format.supersedes?.(text, { project, sourceFile });
      const expires = format.expires?.(text, sourceFile);
      return { sourceType, sourceFile, contentHash, names, supersedes, expires, chunks };
    };
    return {
      contentHash,
      version,
      toDocument,
      findProblems: () => format.problems(text, sourceFile),
    };
  }

  /** Why all or part of the file is not used; empty if the file does not exist. Cached until the file changes. */
  async problems(): Promise<readonly SkippedSource[]> {
    const known = this.known();
    const reading = known?.problems === undefined ? await this.read() : known;
    if (reading === undefined) return [];
    const { sourceFile } = this;
    return 'skipped' in reading
      ? [{ sourceFile, reason: reading.skipped }]
      : this.listProblems(reading).map((reason) => ({ sourceFile, reason, isRead: true }));
  }

  /**
   * Why parts of a file that was read are not used; empty if that was never determined. Cached until the file changes.
   */
  listProblems(reading: KnownSource | ReadSource): readonly string[] {
    if (!('findProblems' in reading)) return reading.problems ?? [];
    const problems = reading.findProblems();
    const known = this.#from.readings.get(this.#key);
    if (known?.version === reading.version) this.#remember({ ...known, problems });
    return problems;
  }

  /** What `read` last found, if the file and its format are unchanged; undefined otherwise. Does not open the file. */
  known(): KnownSource | undefined {
    const { readings, format } = this.#from;
    const known = readings.get(this.#key);
    if (known?.contentHash.startsWith(format.hashPrefix) !== true) return undefined;
    return this.isStill(known.version) ? known : undefined;
  }

  /** Whether the file still has this version or, with `undefined`, still does not exist. Does not open the file. */
  isStill(version: string | undefined): boolean {
    const { files, project } = this.#from;
    return files.isStill(project, this.sourceFile, version);
  }

  /** Whether there is a readable file, judged without opening it. */
  async isReadable(): Promise<boolean> {
    const { files, project } = this.#from;
    const stat = await files.statOf(project, this.sourceFile);
    return stat !== undefined && !('skipped' in stat);
  }

  get #key(): string {
    return [this.#from.project, this.sourceFile].join('\n');
  }

  #remember(reading: KnownSource): void {
    const { readings } = this.#from;
    if (readings.size >= KNOWN_READINGS_MAX) readings.clear();
    readings.set(this.#key, reading);
  }
}

/** Adjusts a chunk's line for a text that begins on this line of its file. */
function withLineFrom({ line, ...chunk }: DraftChunk, firstLine: number): DraftChunk {
  return line === undefined ? chunk : { ...chunk, line: line + firstLine - 1 };
}

/** Not every store can index a longer path. */
const SOURCE_PATH_MAX_BYTES = 2_000;
const TOO_LONG = `its path is longer than ${SOURCE_PATH_MAX_BYTES} bytes`;

/** Maximum number of remembered readings. At this number all are forgotten, so that files are read again. */
const KNOWN_READINGS_MAX = 100_000;
