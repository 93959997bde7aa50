import { KnowledgeError } from '../../domain/errors.js';
import { type Feature, readFeature } from '../../domain/lessons/feature.js';
import {
  agentOutputPath,
  featurePath,
  featuresFolder,
  memoryFolder,
  reflectionPath,
  savedFolder,
  sourcesOfFeature,
} from '../../domain/project-layout.js';
import type { Logger } from '../../ports/logger.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { FileReading, ProjectFiles } from '../../ports/project-files.js';
import type { Project } from '../project.js';

export interface FeatureFolderOptions {
  readonly files: ProjectFiles;
  readonly appDirs: AppDirectories;
  readonly logger: Logger;
}

/** Reads and writes the files in `<appdir>/features/{id}`. */
export class FeatureFolder {
  readonly #options: FeatureFolderOptions;

  constructor(options: FeatureFolderOptions) {
    this.#options = options;
  }

  /** @throws KnowledgeError `not_found` for a feature without a folder */
  async requireFeature(project: Project, id: string): Promise<Feature> {
    const paths = await this.#featureIds(project);
    if (paths.includes(id)) return this.#feature(project, id);
    throw new KnowledgeError(
      'not_found',
      'There is no feature with this featureId in the project.',
    );
  }

  async allFeatures(project: Pick<Project, 'path'>): Promise<readonly Feature[]> {
    const features: Feature[] = [];
    for (const id of await this.#featureIds(project)) {
      features.push(await this.#feature(project, id));
    }
    return features;
  }

  reflectionFile({ path }: Pick<Project, 'path'>, id: string): string {
    return reflectionPath(this.#options.appDirs.of(path), id);
  }

  ownSources({ path }: Project, id: string): readonly string[] {
    return sourcesOfFeature(this.#options.appDirs.of(path), id);
  }

  /** The folders with lessons outside features: notes, digests and the memory. */
  savedFolders({ path }: Project): readonly string[] {
    const appDir = this.#options.appDirs.of(path);
    const saved = (['manual', 'generated'] as const).map((type) => savedFolder(appDir, type));
    return [...saved, memoryFolder(appDir)];
  }

  async reflection(project: Project, id: string): Promise<string> {
    const path = this.reflectionFile(project, id);
    return this.#requireText(path, await this.#options.files.readText(project.path, path));
  }

  async agentOutput(project: Project, id: string, characters: number): Promise<string> {
    const path = agentOutputPath(this.#options.appDirs.of(project.path), id);
    return this.#requireText(
      path,
      await this.#options.files.readTail(project.path, path, characters),
    );
  }

  /** Returns false if there already is a reflection, readable or not. */
  async writeMissingReflection(project: Project, id: string, text: string): Promise<boolean> {
    const { files } = this.#options;
    const path = this.reflectionFile(project, id);
    if ((await files.readText(project.path, path)) !== undefined) return false;
    return files.createText(project.path, path, text);
  }

  async #featureIds({ path }: Pick<Project, 'path'>): Promise<readonly string[]> {
    return (
      await this.#options.files.listFolder(path, featuresFolder(this.#options.appDirs.of(path)))
    ).paths;
  }

  async #feature(project: Pick<Project, 'path'>, id: string): Promise<Feature> {
    const path = featurePath(this.#options.appDirs.of(project.path), id);
    return readFeature(
      id,
      this.#requireText(path, await this.#options.files.readText(project.path, path)),
    );
  }

  /** Returns the text of a file; empty if the file does not exist or cannot be read. */
  #requireText(file: string, reading: FileReading): string {
    if (reading === undefined) return '';
    if ('text' in reading) return reading.text;
    this.#options.logger.warn('A file of a feature was not read.', {
      file,
      reason: reading.skipped,
    });
    return '';
  }
}
