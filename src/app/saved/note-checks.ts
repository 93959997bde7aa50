import { invalidRequest, KnowledgeError } from '../../domain/errors.js';
import { NOTE_CONTENT_MAX_CHARACTERS, NOTE_TITLE_MAX_CHARACTERS } from '../../domain/limits.js';
import { findSecrets } from '../../domain/redaction.js';
import { noteNames } from '../../domain/saved/note-names.js';
import {
  editNote,
  type NoteChanges,
  type NoteText,
  noteText,
} from '../../domain/saved/note-text.js';
import { secretRefusal, secretWarning } from '../../domain/saved/note-warnings.js';
import { type ReceivedAnswer, readAnswer } from '../../domain/saved/received-text.js';
import { isNoteId, NOTE_ID_RULE } from '../../domain/saved/saved-names.js';
import { onOneLine, type SavedText } from '../../domain/saved/saved-text.js';
import { leadsBack, listSupersessions } from '../../domain/saved/supersession.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { Project } from '../project.js';
import { findNoteName, noteFile, readNote, type StoredNote } from './note-files.js';
import type { SavedFiles } from './saved-files.js';

/**
 * Returns the name of the superseded note, which the caller may give in any spelling.
 * @throws KnowledgeError `invalid_request` if the superseded note does not exist, or leads back to this note
 */
export async function checkSupersedes(
  { saved }: { readonly saved: SavedFiles },
  project: Project,
  { id, supersedes: given }: Superseding,
): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const supersedes = await findNoteName(saved, project, given);
  if (supersedes === undefined) {
    throw invalidRequest(
      `supersedes must be the id of a note; "${given}" does not exist. The list of notes shows the ids.`,
    );
  }
  if (id === undefined) return supersedes;
  const link = {
    sourceFile: saved.toPath(project, noteFile(id)),
    supersedes: saved.toPath(project, noteFile(supersedes)),
  };
  const links = listSupersessions(await project.store.chunks.indexedSources('superseding'));
  if (leadsBack(link, links)) {
    throw invalidRequest(`supersedes must not lead back to the note itself, as "${given}" does.`);
  }
  return supersedes;
}

/** @throws KnowledgeError `invalid_request` for an id that no new note can have */
export function checkNewId(id: string | undefined): string | undefined {
  const name = id === undefined ? undefined : noteNames(id).at(-1)?.normalize('NFC');
  if (id !== undefined && !isNoteId(name)) throw invalidRequest(`id ${NOTE_ID_RULE}.`);
  return name;
}

interface Superseding {
  /** Undefined for a note that has no id yet. */
  readonly id?: string | undefined;
  readonly supersedes?: string | undefined;
}

interface Parsing {
  readonly frontmatter: FrontmatterParser;
}

/** @throws KnowledgeError `invalid_request` if title or content is blank or too long */
export function checkNoteText({ frontmatter }: Parsing, note: NoteText): SavedText {
  checkText('content', note.content, NOTE_CONTENT_MAX_CHARACTERS);
  const text = noteText(note, (yaml) => frontmatter.parse(yaml, 'a note'));
  checkText('title', text.title, NOTE_TITLE_MAX_CHARACTERS);
  checkText('content', text.content, NOTE_CONTENT_MAX_CHARACTERS);
  return text;
}

/**
 * Applies changes to a note, and returns the new text of its file.
 * @throws KnowledgeError `invalid_request` if a text is blank, or title or content become too long
 */
export function checkChanges(
  { frontmatter }: Parsing,
  before: StoredNote,
  changes: NoteChanges,
): string {
  const { title = before.title, content = before.content, append } = changes;
  const whole = append === undefined ? content : `${content}\n\n${append}`;
  checkNoteText({ frontmatter }, { title, content: whole });
  return editNote(before, changes, (yaml) => frontmatter.parse(yaml, 'a note'));
}

/**
 * Refuses to overwrite a note with a partial view of it that an agent sent back.
 * @throws KnowledgeError `invalid_request` if the content is only part of the note
 */
export async function checkWholeAnswer(
  saved: SavedFiles,
  project: Project,
  { id, content }: { readonly id: string; readonly content?: string | undefined },
): Promise<void> {
  const answer = content === undefined ? undefined : readAnswer(content);
  if (answer === undefined) return;
  const sourceFile = saved.toPath(project, noteFile(id));
  if (!answer.isCut && !(await hasMore(saved, project, { id, answer }))) return;
  throw invalidRequest(
    `content is a tool's answer that shows only part of the note "${id}", so the rest would be lost: read the whole file "${onOneLine(sourceFile)}" with get, or use append.`,
  );
}

/** Whether a note has chunks or a heading that the answer lacks. */
async function hasMore(
  saved: SavedFiles,
  { path, store }: Project,
  { id, answer: { text, chunkId } }: ShownNote,
): Promise<boolean> {
  if (chunkId === undefined) return false;
  const note = await readNote(saved, { path }, id);
  if (note === undefined || note.content.trim() === text.trim()) return false;
  const [chunk] = await store.chunks.getChunks([chunkId]);
  const { heading = note.title } = chunk ?? {};
  if (heading !== note.title) return true;
  const sourceFile = saved.toPath({ path }, noteFile(id));
  const indexed = await store.chunks.indexedSources();
  return indexed.some((one) => one.sourceFile === sourceFile && one.documentChunkCount > 1);
}

interface ShownNote {
  readonly id: string;
  readonly answer: ReceivedAnswer;
}

/** What to do with a note that seems to contain a secret. */
export type SecretsInNotes = 'warn' | 'refuse';

export interface SecretChecking {
  readonly secrets: SecretsInNotes;
}

/** Returns warnings about secrets in the text of a file. @throws KnowledgeError `secret_found` if they are refused */
export function checkSecrets({ secrets }: SecretChecking, text: string): readonly string[] {
  const kinds = findSecrets(text);
  if (kinds.length === 0) return [];
  if (secrets === 'warn') return [secretWarning(kinds)];
  throw new KnowledgeError('secret_found', secretRefusal(kinds));
}

/** @throws KnowledgeError `invalid_request` if a text is blank or longer than `max` characters */
function checkText(name: string, text: string, max: number): void {
  if (text.trim() === '') throw invalidRequest(`${name} must not be blank.`);
  if (text.length > max) throw invalidRequest(`${name} must have at most ${max} characters.`);
}

/** @throws KnowledgeError `invalid_request` for user notes where they are turned off */
export function checkScope({ scope }: { readonly scope?: 'project' | 'user' | undefined }): void {
  if (scope === 'user') throw invalidRequest(NO_USER_NOTES);
}

const NO_USER_NOTES =
  'scope must be "project" here: user notes are turned off (KNOWLEDGE_USER_NOTES=off), or this service may have several users.';
