import { withIgnoredLines } from '../../domain/ignored-lines.js';
import { type EditDeps, editText } from './edit-text.js';

/**
 * Adds lines to the `.gitignore` of an application directory that keep the database, its key and sessions out of git.
 * Existing lines stay.
 * @throws KnowledgeError as {@link editText} does
 */
export function ensureIgnored(deps: EditDeps, projectPath: string, appDir: string): Promise<void> {
  const edit = (text = '') => withIgnoredLines(text);
  return editText(deps, projectPath, { path: `${appDir}/.gitignore`, edit });
}
