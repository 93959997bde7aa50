import { appDirectories } from '../../src/adapters/files/app-directories.js';
import { parseFrontmatter } from '../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { SavedFiles } from '../../src/app/saved/saved-files.js';
import type { InMemoryProjectFiles } from '../fakes/in-memory-project-files.js';

/** Saved files in the folder `.knowledge` of files in memory. */
export function savedFilesIn(files: InMemoryProjectFiles): SavedFiles {
  const frontmatter = { parse: parseFrontmatter };
  return new SavedFiles({ files, frontmatter, appDirs: appDirectories('.knowledge') });
}
