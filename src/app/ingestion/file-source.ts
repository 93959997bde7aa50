import type { SourceDocument, SourceType } from '../../domain/chunks/chunk.js';
import type { FileReading } from '../../ports/driven/project-files.js';
import type { KnownContent, KnownReadings, ReadableFile } from './known-readings.js';
import type { KnownReading, Source, SourceReading } from './source.js';
import type { SourceKind } from './source-kind.js';

/** How all files of a listing are read. */
interface FileReader {
  readonly project: string;
  readonly readings: KnownReadings;
  readonly kind: SourceKind;
}

/** A file of a project as a source. */
export class FileSource implements Source {
  readonly sourceFile: string;
  readonly #reader: FileReader;

  constructor(reader: FileReader, sourceFile: string) {
    this.#reader = reader;
    this.sourceFile = sourceFile;
  }

  get sourceType(): SourceType {
    return this.#reader.kind.sourceType;
  }

  async read(): Promise<SourceReading> {
    const { readings, project } = this.#reader;
    return this.#readingOf(await readings.read(project, this.#file()));
  }

  async known(): Promise<KnownReading | undefined> {
    const { readings, project } = this.#reader;
    const content = await readings.contentOf(project, this);
    return content && { contentHash: this.#contentHashOf(content), file: content.file };
  }

  whySkipped(): Promise<string | undefined> {
    const { readings, project } = this.#reader;
    return readings.whySkipped(project, this.#file());
  }

  isStill(version: string): Promise<boolean> {
    const { readings, project } = this.#reader;
    return readings.isStill(project, { sourceFile: this.sourceFile, version });
  }

  isReadable(): Promise<boolean> {
    const { readings, project } = this.#reader;
    return readings.isReadable(project, this);
  }

  #file(): ReadableFile {
    const { kind, project } = this.#reader;
    const { sourceFile } = this;
    return { sourceFile, read: () => kind.read(project, sourceFile) };
  }

  #readingOf(reading: FileReading): SourceReading {
    if (reading === undefined || 'skipped' in reading) return reading;
    const { version, file, text } = reading;
    const contentHash = this.#contentHashOf(reading);
    const { sourceType, sourceFile } = this;
    const { kind, project } = this.#reader;
    const toDocument = (): SourceDocument => {
      const chunks = kind.toChunks(text, sourceFile);
      const supersedes = kind.supersedes?.(text, { project, sourceFile });
      return { sourceType, sourceFile, contentHash, supersedes, chunks };
    };
    return { contentHash, version, file, toDocument };
  }

  #contentHashOf({ hash }: KnownContent): string {
    return `${this.#reader.kind.hashPrefix}${hash}`;
  }
}
