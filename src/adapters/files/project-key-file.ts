import { randomUUID } from 'node:crypto';
import { KnowledgeError } from '../../domain/errors.js';
import { withIgnoredLines } from '../../domain/ignored-lines.js';
import { projectKeyPath } from '../../domain/project-layout.js';
import type { AppDirectories, ProjectKeys } from '../../ports/project-directories.js';
import type { ProjectFiles } from '../../ports/project-files.js';
import { repositoryRoot } from './git-repository.js';

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
    const key = (await this.find(projectPath)) ?? (await this.#create(projectPath));
    await this.#excludeFromGit(projectPath).catch(() => false);
    return key;
  }

  async #create(projectPath: string): Promise<string> {
    const key = randomUUID();
    const isMine = await this.#files.createText(projectPath, this.#path(projectPath), `${key}\n`);
    return isMine ? key : this.open(projectPath);
  }

  async #excludeFromGit(projectPath: string): Promise<void> {
    if (repositoryRoot(projectPath) === undefined) return;
    const path = `${this.#appDirs.of(projectPath)}/.gitignore`;
    const file = await this.#files.readText(projectPath, path);
    if (file !== undefined && 'skipped' in file) return;
    const text = withIgnoredLines(file?.text ?? '');
    if (text === file?.text) return;
    await this.#files.replaceText(projectPath, path, { text, expectedVersion: file?.version });
  }

  #path(projectPath: string): string {
    return projectKeyPath(this.#appDirs.of(projectPath));
  }
}

type KeyFiles = Pick<ProjectFiles, 'readText' | 'createText' | 'replaceText'>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const PROJECT_KEY_MAX_BYTES = 100;
