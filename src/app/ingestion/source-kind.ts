import type { DraftChunk, SourceDocument, SourceType } from '../../domain/chunks/chunk.js';
import { AGENT_OUTPUT_IMPORTANCE } from '../../domain/limits.js';
import type { Steps } from '../../domain/steps.js';
import type { FileReading } from '../../ports/driven/project-files.js';
import type { KnownContent, KnownReadings } from './known-readings.js';
import type { Source, SourceReading } from './source.js';
import { withPauses } from './with-pauses.js';

/** How the files of one kind are read and cut. */
export interface SourceKind {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly read: () => Promise<FileReading>;
  /** What the chunks depend on besides the text. */
  readonly hashPrefix: string;
  readonly toChunks: (text: string) => Steps<readonly DraftChunk[]>;
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
    isStill: (version) => readings.isStill(project, { ...kind, version }),
    version: () => readings.versionOf(project, kind),
  };
}

function readingOf(kind: SourceKind, reading: FileReading): SourceReading {
  if (reading === undefined || 'skipped' in reading) return reading;
  const { sourceType, sourceFile, toChunks } = kind;
  const contentHash = contentHashOf(kind, reading);
  const toDocument = async (): Promise<SourceDocument> => ({
    sourceType,
    sourceFile,
    contentHash,
    chunks: await withPauses(toChunks(reading.text)),
  });
  return { contentHash, version: reading.version, file: reading.file, toDocument };
}

function contentHashOf({ hashPrefix }: SourceKind, { hash }: KnownContent): string {
  return `${hashPrefix}${hash}`;
}

/** The end of an agent's output, as one chunk; none if it is blank. */
export function* tailChunk(content: string, heading: string): Steps<readonly DraftChunk[]> {
  yield;
  return content.trim() === '' ? [] : [{ heading, content, importance: AGENT_OUTPUT_IMPORTANCE }];
}
