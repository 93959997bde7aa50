import { type KnownFiles, placesOf } from '../../domain/citations/cited-files.js';
import type { Mention } from '../../domain/citations/mentions.js';
import { NEVER_SEARCHED } from '../../domain/documentation.js';
import type { FileNames } from '../../ports/driven/file-names.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';

interface NamedFilesPorts {
  readonly files: Pick<ProjectFileReader, 'listFolder'>;
  readonly fileNames: FileNames;
}

interface NamedFilesOptions {
  readonly project: string;
  readonly appDir: string;
  readonly ignore: boolean;
}

/**
 * Which files of a project there are, looked up as far as mentions ask for it: the folders of paths, and all names for a name
 * without a folder.
 */
export class NamedFiles implements KnownFiles {
  readonly #ports: NamedFilesPorts;
  readonly #options: NamedFilesOptions;
  readonly #folders = new Map<string, ReadonlySet<string>>();
  #names: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(ports: NamedFilesPorts, options: NamedFilesOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  /** Looks up what these mentions may stand for; before that, nothing is known of them. */
  async prepare(mentions: readonly Mention[], sourceFile: string): Promise<void> {
    for (const { path } of mentions) {
      const isName = !path.includes('/');
      if (isName || this.#folders.size > FOLDERS_ONE_BY_ONE) await this.#listAll();
      if (isName) continue;
      for (const place of placesOf(path, sourceFile)) {
        if (!this.#isKnown(place)) await this.#namesIn(folderOf(place));
      }
    }
  }

  has(path: string): boolean {
    return this.#isListed(path) || (this.#folders.get(folderOf(path))?.has(nameOf(path)) ?? false);
  }

  named(name: string): readonly string[] {
    return this.#names?.get(name) ?? [];
  }

  /** A folder that its parent does not name is not looked for. */
  async #namesIn(folder: string): Promise<ReadonlySet<string>> {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const isThere = folder === '' || (await this.#namesIn(folderOf(folder))).has(nameOf(folder));
    const isSearched = isThere && !NEVER_SEARCHED.has(nameOf(folder));
    const names = new Set(isSearched ? await this.#listed(folder) : []);
    this.#folders.set(folder, names);
    return names;
  }

  async #listed(folder: string): Promise<readonly string[]> {
    return (await this.#ports.files.listFolder(this.#options.project, folder)).paths;
  }

  /** Whether nothing has to be looked up: files of the application directory are never cited. */
  #isKnown(path: string): boolean {
    return path.startsWith(`${this.#options.appDir}/`) || this.#isListed(path);
  }

  #isListed(path: string): boolean {
    return this.#names?.get(nameOf(path))?.includes(path) ?? false;
  }

  async #listAll(): Promise<void> {
    if (this.#names !== undefined) return;
    const { project, ignore } = this.#options;
    const names = new Map<string, string[]>();
    for (const path of await this.#ports.fileNames.list(project, { ignore })) {
      const paths = names.get(nameOf(path));
      if (paths === undefined) names.set(nameOf(path), [path]);
      else paths.push(path);
    }
    this.#names = names;
  }
}

/** With more folders, to list the whole project is less work. */
const FOLDERS_ONE_BY_ONE = 8;

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
