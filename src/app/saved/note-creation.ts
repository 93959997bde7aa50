import { KnowledgeError } from '../../domain/errors.js';
import { lineEndWarnings } from '../../domain/saved/note-warnings.js';
import { noteIdFor } from '../../domain/saved/saved-names.js';
import { savedText } from '../../domain/saved/saved-text.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { AddNoteRequest } from '../../schemas/notes.js';
import type { OpenProject } from '../projects/open-project.js';
import { type ExistingTextDeps, findCandidates, findSame } from './existing-text.js';
import {
  checkNoteText,
  checkSecrets,
  checkSupersedes,
  type SecretChecking,
} from './note-checks.js';
import { hashVersion, noteFile, supersededFiles } from './note-files.js';
import type { WrittenNote } from './note-report.js';
import type { SavedFiles, SavedSource } from './saved-files.js';

interface CreationDeps extends ExistingTextDeps, SecretChecking {
  readonly saved: SavedFiles;
  readonly frontmatter: FrontmatterParser;
}

/** A new note. Without an id, its title names the file. */
interface NewNote extends Omit<AddNoteRequest, 'projectPath' | 'scope' | 'id'> {
  readonly id: string | undefined;
  readonly created: string;
}

interface Duplicate {
  /** Id of the chunk that has the same text. */
  readonly duplicateOf: string;
}

/**
 * Writes a new note, unless its text is already stored.
 * @throws KnowledgeError `conflict` if there is a note with this `id`; `invalid_request` for a wrong `supersedes`;
 *   `secret_found` if secrets are refused
 */
export async function createNote(
  options: CreationDeps,
  project: OpenProject,
  given: NewNote,
): Promise<WrittenNote | Duplicate> {
  const supersedes = await checkSupersedes(options, project, given);
  const text = checkNoteText(options, { ...given, supersedes, updated: given.created });
  const fileText = savedText(text);
  const warnings = [...checkSecrets(options, fileText), ...lineEndWarnings(given.content)];
  const except = supersededFiles(options.saved, project, text.metadata['supersedes']);
  const candidates = await findCandidates(options, project, { ...text, except });
  const same = findSame(text, candidates);
  if (same !== undefined && given.force !== true) return { duplicateOf: same.id };
  const file = { id: given.id, supersedes, title: text.title, text: fileText };
  const saved = await createFile(options, project, file);
  return {
    saved,
    warnings,
    candidates,
    text: { ...text, except: [...except, saved.sourceFile] },
  };
}

interface NewFile {
  readonly title: string;
  readonly text: string;
  readonly id: string | undefined;
  readonly supersedes: string | undefined;
}

interface CreatedFile extends SavedSource {
  readonly id: string;
  readonly version: string;
}

async function createFile(
  options: Pick<CreationDeps, 'saved'>,
  project: OpenProject,
  { title, text, ...note }: NewFile,
): Promise<CreatedFile> {
  const version = await hashVersion(text);
  const { id } = note;
  if (id === undefined) {
    const choose = async (taken: readonly string[]) => {
      const free = noteIdFor(title, taken);
      await checkSupersedes(options, project, { ...note, id: free });
      return free;
    };
    const file = { sourceType: 'manual', text, choose } as const;
    const { name, ...created } = await options.saved.createUnderFreeName(project, file);
    return { id: name, ...created, version };
  }
  const names = await options.saved.names(project, 'manual');
  const isTaken = names.some((name) => name.toLowerCase() === id.toLowerCase());
  const created = isTaken ? undefined : await options.saved.create(project, noteFile(id), text);
  if (created !== undefined) return { id, ...created, version };
  throw new KnowledgeError(
    'conflict',
    `There is already a note with the id "${id}"; replace it, or choose another id.`,
  );
}
