import { reasonOf } from '../../domain/errors.js';
import { savedPath } from '../../domain/project-layout.js';
import { documentName, isFormerDocument } from '../../domain/saved/saved-names.js';
import { documentText } from '../../domain/saved/saved-text.js';
import type { Logger } from '../../ports/logger.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFiles } from '../../ports/project-files.js';
import type { IndexedSource } from '../../ports/source-repository.js';
import type { Project } from '../project.js';

export interface FormerDocumentsOptions {
  readonly files: ProjectFiles;
  readonly appDirs: AppDirectories;
  readonly logger: Logger;
}

/**
 * Writes the documents that a former release kept in the database alone as files, which are then sources like any other.
 * @returns the indexed sources, except sources that could not be written, which keep their chunks
 */
export async function writeFormerDocuments(
  options: FormerDocumentsOptions,
  project: Project,
  sources: readonly IndexedSource[],
): Promise<readonly IndexedSource[]> {
  const kept: IndexedSource[] = [];
  for (const source of sources) {
    if (!isFormerDocument(source) || (await isWritten(options, project, source))) kept.push(source);
  }
  return kept;
}

async function isWritten(
  { files, appDirs, logger }: FormerDocumentsOptions,
  project: Project,
  source: IndexedSource,
): Promise<boolean> {
  const name = documentName(source.sourceFile.replaceAll(/(^|\/)\.+/g, '$1'));
  const path = savedPath(appDirs.of(project.path), { sourceType: 'file', name });
  try {
    await files.createText(project.path, path, await textOf(project, source));
    return true;
  } catch (error) {
    const said = { project: project.path, path, reason: reasonOf(error) };
    logger.warn('A document that only the database has could not be written as a file.', said);
    return false;
  }
}

async function textOf({ store }: Project, { sourceFile }: IndexedSource): Promise<string> {
  const entries = await store.chunks.entries();
  const own = entries
    .filter((entry) => entry.sourceFile === sourceFile)
    .toSorted((a, b) => a.chunkIndex - b.chunkIndex);
  const chunks = await store.chunks.getChunks(own.map(({ id }) => id));
  const parts = chunks.map(({ heading, content }, index) =>
    heading === undefined || heading === chunks[index - 1]?.heading
      ? content
      : `## ${heading}\n\n${content}`,
  );
  const { tags, importance } = chunks[0] ?? {};
  return documentText({ content: `${parts.join('\n\n')}\n`, tags, importance }, () => undefined);
}
