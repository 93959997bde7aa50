import { removedSessionsPath, sessionPath } from '../../domain/project-layout.js';
import {
  readLastTime,
  renderContinuation,
  renderExchange,
  renderSessionHead,
  SESSION_FILE_MAX_BYTES,
  SESSION_FILE_MAX_EXCHANGES,
  sessionFileName,
  withEnd,
} from '../../domain/sessions/session-file.js';
import type { Transcript } from '../../domain/sessions/transcript.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFiles } from '../../ports/project-files.js';
import type { SessionLedger, WrittenSession } from '../../ports/session-records.js';
import { ensureIgnored } from '../projects/ignore-file.js';
import type { Project } from '../projects/project.js';
import { addWritten, describeSession, findUnwritten, type Unwritten } from './unwritten.js';

interface SessionWriterDeps {
  readonly files: Pick<ProjectFiles, 'readText' | 'replaceText' | 'statOf'>;
  readonly appDirs: AppDirectories;
}

interface WrittenFiles {
  /** Relative to the project. */
  readonly written: readonly string[];
  readonly ledger: SessionLedger;
}

/**
 * Writes session files: a new one for a new session, and new exchanges at the end of the last file of a known one. What already
 * stands in a file is never written again, and a file that somebody deleted is not created again.
 */
export class SessionWriter {
  readonly #deps: SessionWriterDeps;

  constructor(deps: SessionWriterDeps) {
    this.#deps = deps;
  }

  /** @throws KnowledgeError `storage_full`, `store_unavailable`, `path_not_allowed` */
  async write(
    project: Project,
    transcript: Transcript,
    ledger: SessionLedger,
  ): Promise<WrittenFiles> {
    const all = findUnwritten(transcript, ledger);
    const [first] = all;
    if (first === undefined) return { written: [], ledger };
    const { session } = transcript;
    const known = ledger.sessions[session] ?? newSession(transcript, first);
    if (await this.#isRemoved(project, session, ledger)) {
      return { written: [], ledger: addWritten(ledger, all) };
    }
    await ensureIgnored(this.#deps, project.path, this.#deps.appDirs.of(project.path));
    const unwritten = await this.#withoutPresent(project, known, all);
    const { names, written } = await this.#append(project, { transcript, known, unwritten });
    const sessions = { ...ledger.sessions, [session]: written };
    const paths = names.map((name) => this.#path(project, name));
    return { written: paths, ledger: addWritten({ ...ledger, sessions }, all) };
  }

  /** A session whose last file is gone was deleted by somebody, which is recorded beside the other files. */
  async #isRemoved(project: Project, session: string, ledger: SessionLedger): Promise<boolean> {
    const { files, appDirs } = this.#deps;
    const path = removedSessionsPath(appDirs.of(project.path));
    const reading = await files.readText(project.path, path);
    const list = reading !== undefined && 'text' in reading ? reading : undefined;
    if (list?.text.split(/\r?\n/).includes(session)) return true;
    const last = ledger.sessions[session]?.files.at(-1);
    if (last === undefined) return false;
    if ((await files.statOf(project.path, this.#path(project, last))) !== undefined) return false;
    const text = `${list?.text ?? ''}${session}\n`;
    await files.replaceText(project.path, path, { text, expectedVersion: list?.version });
    return true;
  }

  /** Without exchanges that the file has although the ledger does not know it, for example because the data folder was lost. */
  async #withoutPresent(
    project: Project,
    { files, last }: WrittenSession,
    unwritten: readonly Unwritten[],
  ): Promise<readonly Unwritten[]> {
    if (last !== '') return unwritten;
    const reading = await this.#deps.files.readText(
      project.path,
      this.#path(project, files[0] ?? ''),
    );
    if (reading === undefined || 'skipped' in reading) return unwritten;
    const until = readLastTime(reading.text);
    return unwritten.filter(({ at }) => until === undefined || at > until);
  }

  /** Adds exchanges file by file, so that no file exceeds its limits. */
  async #append(project: Project, { transcript, known, unwritten }: Addition) {
    const files = [...known.files];
    let { exchanges } = known;
    let bytes = await this.#bytesOf(project, files.at(-1) ?? '');
    let pending: Unwritten[] = [];
    const names = new Set<string>();
    const flush = async () => {
      const name = files.at(-1) ?? '';
      if (pending.length > 0) await this.#appendTo(project, name, { transcript, pending });
      if (pending.length > 0) names.add(name);
      pending = [];
    };
    for (const one of unwritten) {
      const size = Buffer.byteLength(render(one));
      if (bytes + size > SESSION_FILE_MAX_BYTES || exchanges >= SESSION_FILE_MAX_EXCHANGES) {
        await flush();
        files.push(`${files[0]}-${files.length + 1}`);
        [bytes, exchanges] = [0, 0];
      }
      pending.push(one);
      bytes += size;
      exchanges += 1;
    }
    await flush();
    return {
      names: [...names],
      written: { files, exchanges, last: unwritten.at(-1)?.at ?? known.last },
    };
  }

  /** Reads and writes again if somebody has changed the file meanwhile. */
  async #appendTo(project: Project, name: string, { transcript, pending }: Pending): Promise<void> {
    const { files } = this.#deps;
    const path = this.#path(project, name);
    const addition = pending.map(render).join('');
    for (;;) {
      const reading = await files.readText(project.path, path);
      const current = reading !== undefined && 'text' in reading ? reading : undefined;
      const head = current?.text ?? renderSessionHead(describeSession(transcript, pending[0]));
      const text = withEnd(head, pending.at(-1)?.endedAt ?? '') + addition;
      const replacement = { text, expectedVersion: current?.version, access: 'owner' } as const;
      if (await files.replaceText(project.path, path, replacement)) return;
    }
  }

  async #bytesOf(project: Project, name: string): Promise<number> {
    const stat = await this.#deps.files.statOf(project.path, this.#path(project, name));
    return stat !== undefined && 'bytes' in stat ? stat.bytes : 0;
  }

  #path(project: Project, name: string): string {
    return sessionPath(this.#deps.appDirs.of(project.path), name);
  }
}

interface Addition {
  readonly transcript: Transcript;
  readonly known: WrittenSession;
  readonly unwritten: readonly Unwritten[];
}

interface Pending {
  readonly transcript: Transcript;
  readonly pending: readonly Unwritten[];
}

function newSession(transcript: Transcript, first: Unwritten): WrittenSession {
  const name = sessionFileName(describeSession(transcript, first));
  return { files: [name], last: '', exchanges: 0 };
}

function render({ kind, exchange }: Unwritten): string {
  return kind === 'new' ? renderExchange(exchange) : renderContinuation(exchange.answers);
}
