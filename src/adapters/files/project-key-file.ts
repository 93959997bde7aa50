import { randomUUID } from 'node:crypto';
import { KnowledgeError } from '../../domain/errors.js';
import { withIgnoredLines } from '../../domain/ignored-lines.js';
import { projectKeyPath } from '../../domain/project-layout.js';
import type { AppDirectories, ProjectKeys } from '../../ports/project-directories.js';
import type { ProjectFiles } from '../../ports/project-files.js';

/**
 * Keeps the key of a project in a file of its application directory, so that it moves with the project.
 * The key is a random UUID, which cannot be guessed, so one project cannot name the store of another.
 */
export class ProjectKeyFile implements ProjectKeys {
  readonly #files: KeyFiles;
  readonly #appDirs: AppDirectories;

  constructor(files: KeyFiles, appDirs: AppDirectories) {
    this.#files = files;
    this.#appDirs = appDirs;
  }

  async find(projectPath: string): Promise<string | undefined> {
    const path = this.#path(projectPath);
    const file = await this.#files.readText(projectPath, path, PROJECT_KEY_MAX_BYTES);
    if (file === undefined) return undefined;
    const key = 'text' in file ? file.text.trim().toLowerCase() : '';
    if (UUID.test(key)) return key;
    throw new KnowledgeError(
      'store_unavailable',
      `The file ${path} does not contain the key of the project, a UUID; restore it, or delete it to start with an empty store.`,
    );
  }

  async open(projectPath: string): Promise<string> {
    const known = await this.find(projectPath);
    if (known !== undefined) return known;
    const key = randomUUID();
    const isMine = await this.#files.createText(projectPath, this.#path(projectPath), `${key}\n`);
    if (isMine) await this.#excludeFromGit(projectPath).catch(() => false);
    return isMine ? key : this.open(projectPath);
  }

  async #excludeFromGit(projectPath: string): Promise<void> {
    const path = `${this.#appDirs.of(projectPath)}/.gitignore`;
    const file = await this.#files.readText(projectPath, path);
    if (file !== undefined && 'skipped' in file) return;
    const text = withIgnoredLines(file?.text ?? '');
    if (text === file?.text || !(await this.#files.exists(projectPath, '.git'))) return;
    await this.#files.replaceText(projectPath, path, { text, expectedVersion: file?.version });
  }

  #path(projectPath: string): string {
    return projectKeyPath(this.#appDirs.of(projectPath));
  }
}

type KeyFiles = Pick<ProjectFiles, 'readText' | 'createText' | 'replaceText' | 'exists'>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const PROJECT_KEY_MAX_BYTES = 100;
