import { unlinkSync } from 'node:fs';
import { type OpenFolder, openFolder } from './open-folder.js';
import { isDraft } from './place-file.js';
import { readFolderInside } from './read-folder.js';

/**
 * Removes the files below a folder that killed writers have left unfinished. A folder that cannot be read or changed is
 * skipped.
 */
export function removeDraftsBelow(projectPath: string, folder: string): void {
  const { entries } = readFolderInside(projectPath, folder);
  const drafts = entries.filter((entry) => entry.isFile() && isDraft(entry.name));
  if (drafts.length > 0) {
    removeFiles(
      projectPath,
      folder,
      drafts.map(({ name }) => name),
    );
  }
  for (const entry of entries) {
    if (entry.isDirectory()) removeDraftsBelow(projectPath, `${folder}/${entry.name}`);
  }
}

function removeFiles(projectPath: string, folder: string, names: readonly string[]): void {
  let opened: OpenFolder | undefined;
  try {
    opened = openFolder(projectPath, folder);
    for (const name of names) unlinkSync(opened.at(name));
  } catch {
    // The next ingestion tries again.
  } finally {
    opened?.close();
  }
}
