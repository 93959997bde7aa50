import type { SessionAgent, Transcript } from '../domain/sessions/transcript.js';

/** A transcript file as listed, without opening it. */
export interface TranscriptFile {
  /** Absolute. */
  readonly path: string;
  /** Changes with every write. */
  readonly version: string;
  /** When it was last written, in milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** Why a transcript cannot be read, as part of a sentence. */
export interface SkippedTranscript {
  readonly skipped: string;
}

/**
 * The transcripts that one agent writes on this machine. Their format is undocumented and changes, so a reader skips
 * and counts content that it cannot parse. Links, devices and folders are not read.
 */
export interface TranscriptSource {
  readonly agent: SessionAgent;
  /** Lists the transcripts, sorted by path. Opens no file. A folder that does not exist or cannot be read has none. */
  list(): Promise<readonly TranscriptFile[]>;
  /**
   * The first working directory named in a transcript; undefined if there is none, or the file cannot be read. Reads
   * only the beginning.
   */
  findDirectory(path: string): Promise<string | undefined>;
  /** Reads a transcript as a stream, so that its size does not matter. Never throws because of the contents. */
  read(path: string): Promise<Transcript | SkippedTranscript>;
}
