import { savedFolder } from '../../domain/project-layout.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { FileListing } from '../../ports/project-files.js';
import { FileSystemProjectFiles } from './file-system-project-files.js';

/** The files of a directory in which only the notes folder holds sources. */
export class NotesFolderFiles extends FileSystemProjectFiles {
  readonly #folderOf: (projectPath: string) => string;

  constructor(appDirs: AppDirectories) {
    super(appDirs);
    this.#folderOf = (path) => savedFolder(appDirs.of(path), 'manual');
  }

  override async listFolder(projectPath: string, folder: string): Promise<FileListing> {
    return this.#isOfNotes(projectPath, folder) ? super.listFolder(projectPath, folder) : NOTHING;
  }

  override async listBelow(projectPath: string, folder: string): Promise<FileListing> {
    return this.#isOfNotes(projectPath, folder) ? super.listBelow(projectPath, folder) : NOTHING;
  }

  override async listMarkdown(): Promise<FileListing> {
    return NOTHING;
  }

  #isOfNotes(projectPath: string, folder: string): boolean {
    return `${folder}/`.startsWith(`${this.#folderOf(projectPath)}/`);
  }
}

const NOTHING: FileListing = { paths: [], unreadable: [] };
