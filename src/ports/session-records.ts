import type { SessionAgent } from '../domain/sessions/transcript.js';

/**
 * Which agents' sessions the user wants to keep, by project. Stored in the user's data folder, because projects are
 * untrusted input. Paths are canonical.
 */
export interface SessionConsents {
  /** The agents with consent; empty if there are none or the record cannot be read. */
  list(projectPath: string): Promise<readonly SessionAgent[]>;
  /** Records the user's consent. Idempotent. @throws KnowledgeError `storage_full`, `store_unavailable` */
  grant(projectPath: string, agent: SessionAgent): Promise<void>;
  /** Withdraws the user's consent. Idempotent. @throws KnowledgeError `storage_full`, `store_unavailable` */
  withdraw(projectPath: string, agent: SessionAgent): Promise<void>;
}

/** A transcript as it was when last read. */
interface KnownTranscript {
  readonly version: string;
  /** The first working directory named in the transcript; absent if there is none. */
  readonly directory?: string | undefined;
}

/** How far a session has been written to files. */
export interface WrittenSession {
  /** The names of the session's files, without endings, in order. */
  readonly files: readonly string[];
  /** The time of the last prompt written; empty if there was none. */
  readonly last: string;
  /** Number of exchanges in the last file. */
  readonly exchanges: number;
}

/**
 * Records which transcripts of a project were read and which messages were written, so that nothing is read or written
 * twice.
 */
export interface SessionLedger {
  readonly transcripts: Readonly<Record<string, KnownTranscript>>;
  readonly sessions: Readonly<Record<string, WrittenSession>>;
  /** The keys of the messages written. */
  readonly messages: readonly string[];
}

/** Keeps the ledgers of all projects in the user's data folder. Paths are canonical. */
export interface SessionLedgers {
  /** The ledger of a project; empty if there is none or it cannot be read. */
  read(projectPath: string): Promise<SessionLedger>;
  /** Atomic. @throws KnowledgeError `storage_full`, `store_unavailable` */
  write(projectPath: string, ledger: SessionLedger): Promise<void>;
}

/** The pieces of knowledge that a session got without asking, so that it gets each only once. */
export interface ShownPieces {
  /** The keys of the pieces; empty if the session is unknown or the record cannot be read. */
  list(session: string): Promise<readonly string[]>;
  /**
   * Adds pieces to those of a session. Old sessions may be forgotten. @throws KnowledgeError `storage_full`,
   * `store_unavailable`
   */
  add(session: string, keys: readonly string[]): Promise<void>;
}
