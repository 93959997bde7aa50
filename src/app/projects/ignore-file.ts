import { DATABASE_FILE, PROJECT_KEY_FILE, sessionsFolder } from '../../domain/project-layout.js';
import { type EditDeps, editText } from './edit-text.js';

/**
 * Adds the lines to the `.gitignore` of an application directory that keep the database, its key and sessions out of git. Lines
 * that are there stay.
 * @throws KnowledgeError as {@link editText} does
 */
export function ensureIgnored(deps: EditDeps, projectPath: string, appDir: string): Promise<void> {
  const edit = (text = '') => withLines(text);
  return editText(deps, projectPath, { path: `${appDir}/.gitignore`, edit });
}

const IGNORED = [`${DATABASE_FILE}*`, PROJECT_KEY_FILE, `${sessionsFolder('')}/`.slice(1)];

function withLines(text: string): string {
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = IGNORED.filter((line) => !present.has(line));
  if (missing.length === 0) return text;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${separator}${missing.join('\n')}\n`;
}
