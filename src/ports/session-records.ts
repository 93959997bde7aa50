import type { SessionAgent } from '../domain/sessions/transcript.js';

/**
 * Which agents' sessions the user wants to keep, by project. Stored in the user's data folder, because projects are
 * untrusted input. Paths are canonical.
 */
export interface SessionConsents {
  /** Empty if there is no consent or the record cannot be read. */
  list(projectPath: string): Promise<readonly SessionAgent[]>;
  /** Idempotent. @throws KnowledgeError `storage_full`, `store_unavailable` */
  grant(projectPath: string, agent: SessionAgent): Promise<void>;
  /** Idempotent. @throws KnowledgeError `storage_full`, `store_unavailable` */
  withdraw(projectPath: string, agent: SessionAgent): Promise<void>;
}

/** A transcript at the time of its last reading. */
interface KnownTranscript {
  readonly version: string;
  /** The first working directory named in it; absent if there is none. */
  readonly directory?: string | undefined;
}

/** The written part of a session. */
export interface WrittenSession {
  /** The names of its files, without endings, in order. */
  readonly files: readonly string[];
  /** The time of the last prompt written; empty if there was none. */
  readonly last: string;
  /** Number of exchanges in its last file. */
  readonly exchanges: number;
}

/** What has been read and written of one project's transcripts, so that nothing is read or written twice. */
export interface SessionLedger {
  readonly transcripts: Readonly<Record<string, KnownTranscript>>;
  readonly sessions: Readonly<Record<string, WrittenSession>>;
  /** The keys of the messages written. */
  readonly messages: readonly string[];
}

/** Keeps the ledgers of all projects in the user's data folder. Paths are canonical. */
export interface SessionLedgers {
  /** Empty if there is none or it cannot be read. */
  read(projectPath: string): Promise<SessionLedger>;
  /** Atomic. @throws KnowledgeError `storage_full`, `store_unavailable` */
  write(projectPath: string, ledger: SessionLedger): Promise<void>;
}

/** The pieces of knowledge that a session got without asking, so that it gets each only once. */
export interface ShownPieces {
  /** The keys of the pieces; empty if the session is unknown or the record cannot be read. */
  list(session: string): Promise<readonly string[]>;
  /** Old sessions may be forgotten. @throws KnowledgeError `storage_full`, `store_unavailable` */
  add(session: string, keys: readonly string[]): Promise<void>;
}
