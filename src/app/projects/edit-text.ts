import { KnowledgeError } from '../../domain/errors.js';
import type { ProjectFiles, Replacement, TextFile } from '../../ports/project-files.js';

export interface EditDeps {
  readonly files: Pick<ProjectFiles, 'readText' | 'replaceText'>;
}

interface Edit extends Pick<Replacement, 'access'> {
  /** Relative to the project. */
  readonly path: string;
  /** Returns the new text. Called again if another program changed the file in the meantime. */
  readonly edit: (text: string | undefined) => string;
}

/**
 * Edits the text of a file; `edit` gets undefined if the file does not exist. Writes nothing if the text stays the
 * same.
 * @throws KnowledgeError `not_readable` if the file exists but may not be read; `store_unavailable` if it keeps
 *   changing; `storage_full`; `path_not_allowed`
 */
export async function editText(
  { files }: EditDeps,
  projectPath: string,
  { path, edit, ...access }: Edit,
): Promise<void> {
  for (let attempt = 0; attempt < EDIT_ATTEMPTS; attempt += 1) {
    const current = await readExisting({ files }, projectPath, path);
    const text = edit(current?.text);
    if (text === current?.text) return;
    const replacement = { text, expectedVersion: current?.version, ...access };
    if (await files.replaceText(projectPath, path, replacement)) return;
  }
  throw new KnowledgeError('store_unavailable', `${path} keeps changing; try again shortly.`);
}

/** @throws KnowledgeError `not_readable` if the file exists but may not be read */
export async function readExisting(
  { files }: { readonly files: Pick<ProjectFiles, 'readText'> },
  projectPath: string,
  path: string,
): Promise<TextFile | undefined> {
  const reading = await files.readText(projectPath, path);
  if (reading === undefined || !('skipped' in reading)) return reading;
  throw new KnowledgeError('not_readable', `${path} cannot be used: ${reading.skipped}.`);
}

const EDIT_ATTEMPTS = 10;
