import { KnowledgeError } from '../../domain/errors.js';
import { nameKeys, noteNames } from '../../domain/saved/note-names.js';
import { type NoteRecord, noteVersion, readNoteRecord } from '../../domain/saved/note-record.js';
import { onOneLine } from '../../domain/saved/saved-text.js';
import { textHash } from '../../shared/text-hash.js';
import type { Project } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import type { Projects } from '../projects/projects.js';
import type { ProjectFolder, SavedFiles } from './saved-files.js';

/** A note and the version of its file, as read. */
export interface StoredNote extends NoteRecord {
  readonly fileVersion: string;
  /** The whole text of its file. */
  readonly text: string;
}

export function noteFile(id: string) {
  return { sourceType: 'manual', name: id } as const;
}

/** Finds a note by a name in any spelling; undefined if there is none. */
export async function findNoteName(
  saved: SavedFiles,
  project: Pick<Project, 'path'>,
  given: string,
): Promise<string | undefined> {
  const names = noteNames(given);
  for (const name of names) if (await saved.exists(project, noteFile(name))) return name;
  const known = new Map<string, string>();
  for (const name of await saved.names(project, 'manual')) {
    for (const key of nameKeys(name)) if (!known.has(key)) known.set(key, name);
  }
  return names.map((name) => known.get(name.normalize('NFC'))).find((name) => name !== undefined);
}

/** @throws KnowledgeError `not_found` */
export async function requireNoteName(
  saved: SavedFiles,
  project: Pick<Project, 'path'>,
  given: string,
): Promise<string> {
  const name = await findNoteName(saved, project, given);
  if (name === undefined) throw noNote(given);
  return name;
}

/** Reads a note; undefined if there is none, or its file is not readable. */
export async function readNote(
  saved: SavedFiles,
  project: ProjectFolder,
  id: string,
): Promise<StoredNote | undefined> {
  const file = noteFile(id);
  const modifiedAt = await saved.modifiedAt(project, file);
  const read = await saved.read(project, file);
  if (read === undefined || modifiedAt === undefined) return undefined;
  const { fileVersion, text } = read;
  return { ...readNoteRecord({ ...read, name: id, modifiedAt }), fileVersion, text };
}

/**
 * Reads a note that is about to be changed.
 * @throws KnowledgeError `not_found`; `path_not_allowed` if its file is not read, for example because it is a link out
 *   of the project
 */
export async function requireNote(
  saved: SavedFiles,
  project: ProjectFolder,
  id: string,
): Promise<StoredNote> {
  const note = await readNote(saved, project, id);
  if (note !== undefined) return note;
  if (!(await saved.exists(project, noteFile(id)))) throw noNote(id);
  throw new KnowledgeError(
    'path_not_allowed',
    `The note "${id}" cannot be changed: its file is a link out of the project, or too large to read.`,
  );
}

/** Returns the version that a note has if its file has this text. */
export async function hashVersion(text: string): Promise<string> {
  return noteVersion(await textHash(text));
}

/** Returns the file of the superseded note, whose text the new note may repeat; empty if none is superseded. */
export function supersededFiles(
  saved: SavedFiles,
  project: ProjectFolder,
  supersedes: unknown,
): readonly string[] {
  return typeof supersedes === 'string' ? [saved.toPath(project, noteFile(supersedes))] : [];
}

export function noNote(id: string): KnowledgeError {
  return new KnowledgeError(
    'not_found',
    `There is no note with the id "${id}". Searches and the list of notes show the ids.`,
  );
}

/** @throws KnowledgeError `changed` if the note is no longer the version that its writer read */
export function checkVersion(
  { version, title, content }: NoteRecord,
  { id, ifVersion }: { readonly id: string; readonly ifVersion?: string | undefined },
): void {
  if (ifVersion === undefined || version === ifVersion) return;
  throw new KnowledgeError(
    'changed',
    `The note "${id}" has changed since version ${onOneLine(ifVersion)}: read it again, then send version ${version}.`,
    { current: { version, title, content } },
  );
}

/** Opens the project of a note; creates no store where there is none. @throws KnowledgeError `not_found` */
export async function openWithNote(
  { projects, saved }: OpeningDeps,
  projectPath: string,
  id: string,
): Promise<OpenProject> {
  const hasNote = async (located: Pick<Project, 'path'>) =>
    (await findNoteName(saved, located, id)) !== undefined;
  const project = await projects.openWhere(projectPath, hasNote);
  if (project === undefined) throw noNote(id);
  return project;
}

interface OpeningDeps {
  readonly projects: Pick<Projects, 'openWhere'>;
  readonly saved: SavedFiles;
}
