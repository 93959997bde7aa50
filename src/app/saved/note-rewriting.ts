import { KnowledgeError } from '../../domain/errors.js';
import { lineEndWarnings } from '../../domain/saved/note-warnings.js';
import type { Clock } from '../../ports/clock.js';
import type { ChangeNoteRequest } from '../../schemas/notes.js';
import type { OpenProject } from '../projects/open-project.js';
import {
  checkSecrets,
  checkSupersedes,
  checkWholeAnswer,
  type SecretChecking,
} from './note-checks.js';
import {
  checkVersion,
  hashVersion,
  noteFile,
  requireNote,
  requireNoteName,
  type StoredNote,
  supersededFiles,
} from './note-files.js';
import type { WrittenNote } from './note-report.js';
import type { SavedFiles } from './saved-files.js';

export interface RewritingDeps extends SecretChecking {
  readonly saved: SavedFiles;
  readonly clock: Clock;
}

/** The new properties of a note. */
export interface NoteChange extends Omit<ChangeNoteRequest, 'projectPath' | 'ifVersion'> {
  readonly ifVersion: string | undefined;
  /** Returns the new text of the note's file. */
  readonly textAfter: (before: StoredNote, known: KnownProperties) => string;
}

interface KnownProperties {
  readonly updated: string;
  readonly supersedes: string | undefined;
}

/**
 * Overwrites a note. If its file changes between reading and writing, reads it again.
 * @throws KnowledgeError `not_found`; `changed` if the note no longer has the version `ifVersion`; `invalid_request`
 *   for a wrong `supersedes` or a partial content; `secret_found` if secrets are refused; `store_unavailable` if the
 *   file keeps changing
 */
export async function rewriteNote(
  options: RewritingDeps,
  project: OpenProject,
  change: NoteChange,
): Promise<WrittenNote> {
  const id = await requireNoteName(options.saved, project, change.id);
  const supersedes = await checkSupersedes(options, project, { ...change, id });
  await checkWholeAnswer(options.saved, project, { ...change, id });
  const once = { ...change, id, supersedes };
  for (let attempt = 0; attempt < REWRITE_ATTEMPTS; attempt += 1) {
    const rewritten = await rewriteOnce(options, project, once);
    if (rewritten !== undefined) return toWritten(options, project, { ...rewritten, change });
  }
  throw new KnowledgeError('store_unavailable', BUSY);
}

const REWRITE_ATTEMPTS = 5;
const BUSY = 'The note is being changed by another program; try again shortly.';

interface CheckedChange extends Pick<NoteChange, 'id' | 'ifVersion' | 'textAfter'> {
  readonly supersedes: string | undefined;
}

interface Rewritten extends Pick<WrittenNote, 'saved' | 'warnings'> {
  readonly before: StoredNote;
}

/** Tries to overwrite a note once. Returns undefined, and writes nothing, if the file has changed since it was read. */
async function rewriteOnce(
  options: RewritingDeps,
  project: OpenProject,
  { id, ifVersion, supersedes, textAfter }: CheckedChange,
): Promise<Rewritten | undefined> {
  const { saved: files, clock } = options;
  const before = await requireNote(files, project, id);
  checkVersion(before, { id, ifVersion });
  const text = textAfter(before, { updated: clock.now().toISOString(), supersedes });
  const warnings = checkSecrets(options, text);
  const { fileVersion } = before;
  const written = await files.replace(project, noteFile(id), { text, fileVersion });
  if (written === undefined) return undefined;
  return { saved: { id, ...written, version: await hashVersion(text) }, before, warnings };
}

/** Selects the text to compare with other chunks: what was appended or, if nothing was, the whole content. */
function toWritten(
  { saved: files }: RewritingDeps,
  project: OpenProject,
  { saved, before, warnings, change }: Rewritten & { readonly change: NoteChange },
): WrittenNote {
  const { title = before.title, content = before.content, append } = change;
  const except = [...supersededFiles(files, project, before.supersedes), saved.sourceFile];
  return {
    saved,
    text: { title, content: append ?? content, except },
    warnings: [...warnings, ...lineEndWarnings(append ?? change.content)],
  };
}
