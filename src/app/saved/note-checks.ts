import { invalidRequest } from '../../domain/errors.js';
import { NOTE_CONTENT_MAX_CHARACTERS, NOTE_TITLE_MAX_CHARACTERS } from '../../domain/limits.js';
import {
  changedNote,
  type NoteChanges,
  type NoteText,
  noteText,
} from '../../domain/saved/note-text.js';
import type { SavedText } from '../../domain/saved/saved-text.js';
import { leadsBack, supersessionsOf } from '../../domain/saved/supersession.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { Project } from '../project.js';
import { noteFile, type StoredNote } from './note-files.js';
import type { SavedFiles } from './saved-files.js';

/** @throws KnowledgeError `invalid_request` if the note would supersede one that does not exist, or leads back to it */
export async function checkSupersedes(
  { saved }: { readonly saved: SavedFiles },
  project: Project,
  { id, supersedes }: Superseding,
): Promise<void> {
  if (supersedes === undefined) return;
  if (!(await saved.exists(project, noteFile(supersedes)))) {
    throw invalidRequest(`supersedes must be the id of a note; "${supersedes}" does not exist.`);
  }
  if (id === undefined) return;
  const link = {
    sourceFile: saved.pathOf(project, noteFile(id)),
    supersedes: saved.pathOf(project, noteFile(supersedes)),
  };
  const links = supersessionsOf(await project.store.chunks.indexedSources('superseding'));
  if (leadsBack(link, links)) {
    throw invalidRequest(
      `supersedes must not lead back to the note itself, as "${supersedes}" does.`,
    );
  }
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
export function checkedText({ frontmatter }: Parsing, note: NoteText): SavedText {
  checkText('content', note.content, NOTE_CONTENT_MAX_CHARACTERS);
  const text = noteText(note, (yaml) => frontmatter.parse(yaml, 'a note'));
  checkText('title', text.title, NOTE_TITLE_MAX_CHARACTERS);
  checkText('content', text.content, NOTE_CONTENT_MAX_CHARACTERS);
  return text;
}

/**
 * The text of the file of a note with some changes.
 * @throws KnowledgeError `invalid_request` if a text is blank, or title or content become too long
 */
export function checkedChanges(
  { frontmatter }: Parsing,
  before: StoredNote,
  changes: NoteChanges,
): string {
  const { title = before.title, content = before.content, append } = changes;
  const whole = append === undefined ? content : `${content}\n\n${append}`;
  checkedText({ frontmatter }, { title, content: whole });
  return changedNote(before, changes, (yaml) => frontmatter.parse(yaml, 'a note'));
}

/** @throws KnowledgeError `invalid_request` if a text is blank or longer than `max` characters */
function checkText(name: string, text: string, max: number): void {
  if (text.trim() === '') throw invalidRequest(`${name} must not be blank.`);
  if (text.length > max) throw invalidRequest(`${name} must have at most ${max} characters.`);
}
