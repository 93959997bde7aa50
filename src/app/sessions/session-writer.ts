import { withIgnoredLines } from '../../domain/ignored-lines.js';
import {
  documentNames,
  removedSessionsPath,
  sessionPath,
  sessionsFolder,
} from '../../domain/project-layout.js';
import {
  readExchangeTimes,
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
import type { Project } from '../project.js';
import { type EditDeps, editText, readExisting } from '../projects/edit-text.js';
import { addWritten, describeSession, findUnwritten, type Unwritten } from './unwritten.js';

interface SessionWriterDeps {
  readonly files: Pick<ProjectFiles, 'readText' | 'replaceText' | 'statOf' | 'listFolder'>;
  readonly appDirs: AppDirectories;
}

interface WrittenFiles {
  /** Relative to the project. */
  readonly written: readonly string[];
  readonly ledger: SessionLedger;
}

/**
 * Writes session files: a new file for a new session, and new exchanges at the end of a known session's last file.
 * Never writes an exchange twice, and never recreates a file that `recordRemoved` found deleted.
 */
export class SessionWriter {
  readonly #deps: SessionWriterDeps;

  constructor(deps: SessionWriterDeps) {
    this.#deps = deps;
  }

  /**
   * Writes the exchanges of a transcript that the ledger lacks.
   * @throws KnowledgeError `storage_full`, `store_unavailable`, `path_not_allowed`; `not_readable` if a file in the
   *   folder may not be read
   */
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
    if ((await this.#listRemoved(project)).includes(session)) {
      return { written: [], ledger: addWritten(ledger, all) };
    }
    await ensureIgnored(this.#deps, project.path, this.#deps.appDirs.of(project.path));
    const unwritten = await this.#withoutPresent(project, known, all);
    const { names, written } = await this.#append(project, { transcript, known, unwritten });
    const last = all.at(-1)?.at ?? known.last;
    const sessions = { ...ledger.sessions, [session]: { ...written, last } };
    const paths = names.map((name) => this.#path(project, name));
    return { written: paths, ledger: addWritten({ ...ledger, sessions }, all) };
  }

  /**
   * Adds sessions whose last file was deleted to a list beside the session files, so that they stay deleted even if the
   * ledger is lost.
   * @throws KnowledgeError as `write` does
   */
  async recordRemoved(project: Project, { sessions }: SessionLedger): Promise<void> {
    const appDir = this.#deps.appDirs.of(project.path);
    const listing = await this.#deps.files.listFolder(project.path, sessionsFolder(appDir));
    if (listing.unreadable.length > 0) return;
    const present = new Set(documentNames(listing.paths));
    const lastFile = (session: string) => sessions[session]?.files.at(-1);
    const missing = Object.keys(sessions).filter((one) => !present.has(lastFile(one) ?? ''));
    const listed = missing.length === 0 ? [] : await this.#listRemoved(project);
    const unlisted = missing.filter((session) => !listed.includes(session));
    if (unlisted.length === 0) return;
    await ensureIgnored(this.#deps, project.path, appDir);
    const edit = (text = '') => text + unlisted.map((session) => `${session}\n`).join('');
    await editText(this.#deps, project.path, { path: removedSessionsPath(appDir), edit });
  }

  async #listRemoved(project: Project): Promise<readonly string[]> {
    const path = removedSessionsPath(this.#deps.appDirs.of(project.path));
    const list = await readExisting(this.#deps, project.path, path);
    return list?.text.split(/\r?\n/) ?? [];
  }

  /** Leaves out exchanges that are in the file, but missing from a ledger that was lost or not written in time. */
  async #withoutPresent(
    project: Project,
    { files, last }: WrittenSession,
    unwritten: readonly Unwritten[],
  ): Promise<readonly Unwritten[]> {
    const path = this.#path(project, files.at(-1) ?? '');
    const present = await readExisting(this.#deps, project.path, path);
    const times = present === undefined ? [] : readExchangeTimes(present.text);
    const until = times.at(-1) ?? '';
    const isPresent = (at: string) => (last === '' ? at <= until : at > last && times.includes(at));
    return unwritten.filter(({ at }) => !isPresent(at));
  }

  /** Appends exchanges. Begins a new file whenever the current one would exceed its limits. */
  async #append(project: Project, { transcript, known, unwritten }: Addition) {
    const files = [...known.files];
    let { exchanges } = known;
    let bytes = await this.#countBytes(project, files.at(-1) ?? '');
    let pending: Section[] = [];
    const names = new Set<string>();
    const flush = async () => {
      if (pending.length === 0) return;
      const name = files.at(-1) ?? '';
      await this.#appendTo(project, name, { transcript, pending });
      names.add(name);
      pending = [];
    };
    for (const one of unwritten) {
      const text = render(one);
      const size = Buffer.byteLength(text);
      if (bytes + size > SESSION_FILE_MAX_BYTES || exchanges >= SESSION_FILE_MAX_EXCHANGES) {
        await flush();
        files.push(`${files[0]}-${files.length + 1}`);
        [bytes, exchanges] = [0, 0];
      }
      pending.push({ ...one, text });
      bytes += size;
      exchanges += 1;
    }
    await flush();
    return {
      names: [...names],
      written: { files, exchanges },
    };
  }

  #appendTo(project: Project, name: string, { transcript, pending }: Pending): Promise<void> {
    const addition = pending.map(({ text }) => text).join('');
    const edit = (text = renderSessionHead(describeSession(transcript, pending[0]))) =>
      withEnd(text, pending.at(-1)?.endedAt ?? '') + addition;
    const path = this.#path(project, name);
    return editText(this.#deps, project.path, { path, edit, access: 'owner' });
  }

  async #countBytes(project: Project, name: string): Promise<number> {
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

/** An exchange with its rendered text. */
interface Section extends Unwritten {
  readonly text: string;
}

interface Pending {
  readonly transcript: Transcript;
  readonly pending: readonly Section[];
}

function newSession(transcript: Transcript, first: Unwritten): WrittenSession {
  const name = sessionFileName(describeSession(transcript, first));
  return { files: [name], last: '', exchanges: 0 };
}

function render({ kind, exchange }: Unwritten): string {
  return kind === 'new' ? renderExchange(exchange) : renderContinuation(exchange.answers);
}

/**
 * Adds lines to the `.gitignore` of an application directory that keep the database, its key and sessions out of git.
 * Existing lines stay.
 */
function ensureIgnored(deps: EditDeps, projectPath: string, appDir: string): Promise<void> {
  const edit = (text = '') => withIgnoredLines(text);
  return editText(deps, projectPath, { path: `${appDir}/.gitignore`, edit });
}
