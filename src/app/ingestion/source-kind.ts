import type { DraftChunk, SourceDocument, SourceType } from '../../domain/chunks/chunk.js';
import type { FileReading } from '../../ports/driven/project-files.js';
import type { KnownContent, KnownReadings } from './known-readings.js';
import type { Source, SourceReading } from './source.js';

/** How the files of one kind are read and cut. */
export interface SourceKind {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly read: () => Promise<FileReading>;
  /** What the chunks depend on besides the text. */
  readonly hashPrefix: string;
  readonly toChunks: (text: string) => readonly DraftChunk[];
}

/** A file of a project as a source. */
export function fileSource(readings: KnownReadings, project: string, kind: SourceKind): Source {
  const { sourceType, sourceFile } = kind;
  return {
    sourceType,
    sourceFile,
    read: async () => readingOf(kind, await readings.read(project, kind)),
    known: async () => {
      const content = await readings.contentOf(project, kind);
      return content && { contentHash: contentHashOf(kind, content), file: content.file };
    },
    whySkipped: () => readings.whySkipped(project, kind),
    version: () => readings.versionOf(project, kind),
  };
}

function readingOf(kind: SourceKind, reading: FileReading): SourceReading {
  if (reading === undefined || 'skipped' in reading) return reading;
  const { sourceType, sourceFile, toChunks } = kind;
  const contentHash = contentHashOf(kind, reading);
  const toDocument = (): SourceDocument => ({
    sourceType,
    sourceFile,
    contentHash,
    chunks: toChunks(reading.text),
  });
  return { contentHash, version: reading.version, file: reading.file, toDocument };
}

function contentHashOf({ hashPrefix }: SourceKind, { hash }: KnownContent): string {
  return `${hashPrefix}${hash}`;
}
