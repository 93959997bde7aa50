import { DATABASE_FILE, PROJECT_KEY_FILE, sessionsFolder } from '../../domain/project-layout.js';
import type { ProjectFiles } from '../../ports/project-files.js';

interface IgnoreFileDeps {
  readonly files: Pick<ProjectFiles, 'readText' | 'replaceText'>;
}

/**
 * Adds the lines to the `.gitignore` of an application directory that keep the database, its key and sessions out of git. Lines
 * that are there stay.
 * @throws KnowledgeError `storage_full`, `store_unavailable`, `path_not_allowed`; also if the file cannot be read
 */
export async function ensureIgnored(
  { files }: IgnoreFileDeps,
  projectPath: string,
  appDir: string,
): Promise<void> {
  const path = `${appDir}/.gitignore`;
  for (;;) {
    const reading = await files.readText(projectPath, path);
    const current = reading !== undefined && 'text' in reading ? reading : undefined;
    const text = withLines(current?.text ?? '');
    if (text === current?.text) return;
    const replacement = { text, expectedVersion: current?.version };
    if (await files.replaceText(projectPath, path, replacement)) return;
  }
}

const IGNORED = [`${DATABASE_FILE}*`, PROJECT_KEY_FILE, `${sessionsFolder('')}/`.slice(1)];

function withLines(text: string): string {
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = IGNORED.filter((line) => !present.has(line));
  if (missing.length === 0) return text;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${separator}${missing.join('\n')}\n`;
}
