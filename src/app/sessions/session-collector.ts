import { KnowledgeError } from '../../domain/errors.js';
import { formatCount } from '../../domain/figures.js';
import type { SessionAgent, Transcript } from '../../domain/sessions/transcript.js';
import type { ProjectFinder } from '../../ports/project-directories.js';
import type { SettingsSource } from '../../ports/project-files.js';
import type {
  SessionConsents,
  SessionLedger,
  SessionLedgers,
} from '../../ports/session-records.js';
import type {
  SkippedTranscript,
  TranscriptFile,
  TranscriptSource,
} from '../../ports/transcripts.js';
import type { ExclusiveChanges } from '../leases.js';
import type { Project } from '../project.js';
import type { SessionWriter } from './session-writer.js';

interface SessionCollectorDeps {
  readonly sessionConsents: Pick<SessionConsents, 'list'>;
  readonly sessionLedgers: SessionLedgers;
  readonly transcripts: readonly TranscriptSource[];
  readonly projectFinder: ProjectFinder;
  readonly settings: SettingsSource;
  readonly writer: Pick<SessionWriter, 'write' | 'recordRemoved'>;
  readonly changes: Pick<ExclusiveChanges, 'run'>;
}

export interface SessionReport {
  /** Session files created or extended, relative to the project. */
  readonly written: readonly string[];
  /** Transcripts that were not read, or only partly. */
  readonly skipped: readonly SkippedSession[];
}

interface SkippedSession {
  readonly path: string;
  readonly reason: string;
  /** Set if the rest of the transcript was read. */
  readonly isRead?: true;
}

/** Turns transcripts into session files. */
export type SessionCollecting = Pick<SessionCollector, 'collect'>;

export const NO_SESSIONS: SessionReport = { written: [], skipped: [] };

/**
 * Turns the transcripts of a project's agents into session files (docs/specification.md, "Sessions"). Opens transcripts
 * only with consent, and only if they changed.
 */
export class SessionCollector {
  readonly #deps: SessionCollectorDeps;

  constructor(deps: SessionCollectorDeps) {
    this.#deps = deps;
  }

  /**
   * Writes new exchanges of a project's transcripts.
   * @param select selects the files to look at; default all
   * @throws KnowledgeError `storage_full`, `store_unavailable`, `path_not_allowed`
   */
  async collect(
    project: Project,
    select: (file: TranscriptFile) => boolean = () => true,
  ): Promise<SessionReport> {
    const agents = await this.#deps.sessionConsents.list(project.path);
    if (agents.length === 0) return NO_SESSIONS;
    const { sessions } = await this.#deps.settings.read(project.path);
    if (!sessions) return NO_SESSIONS;
    return this.#deps.changes.run(project, () => this.#collect(project, agents, select));
  }

  async #collect(
    project: Project,
    agents: readonly SessionAgent[],
    select: (file: TranscriptFile) => boolean,
  ): Promise<SessionReport> {
    const { sessionLedgers, transcripts } = this.#deps;
    let saved = await sessionLedgers.read(project.path);
    await this.#recordRemoved(project, saved);
    let ledger = saved;
    const save = async () => {
      if (ledger !== saved) await sessionLedgers.write(project.path, ledger);
      saved = ledger;
    };
    let report = NO_SESSIONS;
    for (const source of transcripts.filter(({ agent }) => agents.includes(agent))) {
      for (const file of (await source.list()).filter(select)) {
        if (ledger.transcripts[file.path]?.version === file.version) continue;
        const read = await this.#read(project, { source, file, ledger });
        ledger = read.ledger;
        report = addReports(report, read.report);
        if (read.report.written.length > 0) await save();
      }
    }
    await save();
    return { ...report, skipped: onePerReason(report.skipped) };
  }

  /**
   * Updates the list of deleted sessions. A list that cannot be read is ignored here: writing a transcript reports it.
   */
  async #recordRemoved(project: Project, ledger: SessionLedger): Promise<void> {
    try {
      await this.#deps.writer.recordRemoved(project, ledger);
    } catch (error) {
      if (!(error instanceof KnowledgeError) || error.code !== 'not_readable') throw error;
    }
  }

  async #read(project: Project, { source, file, ledger }: Step): Promise<StepResult> {
    const { path, version } = file;
    const directory = ledger.transcripts[path]?.directory ?? (await source.findDirectory(path));
    const transcripts = { ...ledger.transcripts, [path]: { version, directory } };
    const known = { ...ledger, transcripts };
    const isOurs = (one: string) => this.#deps.projectFinder.findWithStore(one) === project.path;
    if (directory !== undefined && !isOurs(directory)) {
      return { ledger: known, report: NO_SESSIONS };
    }
    const transcript = await source.read(path);
    if (isSkipped(transcript)) {
      const skipped = [{ path, reason: transcript.skipped }];
      return { ledger, report: { ...NO_SESSIONS, skipped } };
    }
    if (directory === undefined) return { ledger: known, report: NO_SESSIONS };
    return this.#write(project, { path, transcript, ledger, known });
  }

  /**
   * Writes the exchanges of a transcript. If a session file or the list of deleted sessions cannot be read, reports
   * that; the next call tries again.
   */
  async #write(
    project: Project,
    { path, transcript, ledger, known }: Writing,
  ): Promise<StepResult> {
    try {
      const { written, ledger: after } = await this.#deps.writer.write(project, transcript, known);
      return { ledger: after, report: { written, skipped: listNotUnderstood(path, transcript) } };
    } catch (error) {
      if (!(error instanceof KnowledgeError) || error.code !== 'not_readable') throw error;
      const skipped = [{ path, reason: error.message.replace(/\.$/, '') }];
      return { ledger, report: { ...NO_SESSIONS, skipped } };
    }
  }
}

interface Writing {
  readonly path: string;
  readonly transcript: Transcript;
  readonly ledger: SessionLedger;
  /** The ledger in which the transcript counts as read. */
  readonly known: SessionLedger;
}

interface Step {
  readonly source: TranscriptSource;
  readonly file: TranscriptFile;
  readonly ledger: SessionLedger;
}

interface StepResult {
  readonly ledger: SessionLedger;
  readonly report: SessionReport;
}

function listNotUnderstood(
  path: string,
  { notUnderstood: { lines, bytes } }: Transcript,
): readonly SkippedSession[] {
  if (lines === 0) return [];
  const size = `${formatCount(lines, 'line')}, ${bytes} bytes`;
  return [{ path, reason: `part of it could not be parsed (${size})`, isRead: true }];
}

/** Keeps one transcript per reason and counts the others, because hundreds may be unreadable for the same reason. */
function onePerReason(skipped: readonly SkippedSession[]): readonly SkippedSession[] {
  const firsts = new Map(skipped.toReversed().map((one) => [one.reason, one]));
  return [...firsts.values()].toReversed().map((one) => {
    const others = skipped.filter(({ reason }) => reason === one.reason).length - 1;
    if (others === 0) return one;
    const more = formatCount(others, 'other transcript');
    return { ...one, reason: `${one.reason}; the same applies to ${more}` };
  });
}

function isSkipped(reading: Transcript | SkippedTranscript): reading is SkippedTranscript {
  return 'skipped' in reading;
}

function addReports(a: SessionReport, b: SessionReport): SessionReport {
  return {
    written: [...a.written, ...b.written],
    skipped: [...a.skipped, ...b.skipped],
  };
}
