import { KnowledgeError } from '../../domain/errors.js';
import { findSecrets } from '../../domain/redaction.js';
import type { NoteRecord } from '../../domain/saved/note-record.js';
import { secretRefusal, secretWarning } from '../../domain/saved/note-warnings.js';
import type { Clock } from '../../ports/clock.js';
import type { OpenProject } from '../projects/open-project.js';
import { checkVersion, hashVersion, noteFile, requireNote, type StoredNote } from './note-files.js';
import type { SavedFiles } from './saved-files.js';

/** What to do with a note that seems to contain a secret. */
export type SecretsInNotes = 'warn' | 'refuse';

export interface RewritingDeps {
  readonly saved: SavedFiles;
  readonly clock: Clock;
  readonly secrets: SecretsInNotes;
}

interface RewritingTarget {
  readonly project: OpenProject;
  readonly id: string;
  readonly ifVersion: string | undefined;
  readonly supersedes: string | undefined;
}

/** Computes the text of a file after a change. */
export type TextAfter = (
  before: StoredNote,
  known: { readonly updated: string; readonly supersedes: string | undefined },
) => string;

/** Overwrites the version that was read. Returns undefined, and writes nothing, if the file has changed since. */
export async function rewriteOnce(
  options: RewritingDeps,
  { project, id, ifVersion, supersedes }: RewritingTarget,
  textAfter: TextAfter,
) {
  const { saved: files, clock } = options;
  const note = await requireNote(files, project, id);
  checkVersion(note, { id, ifVersion });
  const text = textAfter(note, { updated: clock.now().toISOString(), supersedes });
  const warnings = checkSecrets(options, text);
  const { fileVersion } = note;
  const written = await files.replace(project, noteFile(id), { text, fileVersion });
  if (written === undefined) return undefined;
  return { saved: { id, ...written, version: await hashVersion(text) }, note, warnings };
}

/** Properties of a note that its writer does not set. */
export type Origin = Partial<Pick<NoteRecord, 'created' | 'author' | 'session'>>;

export function keptOrigin({ created, author, session }: NoteRecord): Origin {
  return {
    ...(created !== undefined && { created }),
    ...(author !== undefined && { author }),
    ...(session !== undefined && { session }),
  };
}

/** Warnings about secrets in the text of a file. @throws KnowledgeError `secret_found` if they are refused */
export function checkSecrets(
  { secrets }: Pick<RewritingDeps, 'secrets'>,
  text: string,
): readonly string[] {
  const kinds = findSecrets(text);
  if (kinds.length === 0) return [];
  if (secrets === 'warn') return [secretWarning(kinds)];
  throw new KnowledgeError('secret_found', secretRefusal(kinds));
}
