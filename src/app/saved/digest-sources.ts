import { splitFrontmatter } from '../../domain/chunks/frontmatter.js';
import { KnowledgeError } from '../../domain/errors.js';
import { categoryPath } from '../../domain/project-layout.js';
import { type DigestSource, digestName } from '../../domain/saved/saved-text.js';
import type { TextFile } from '../../ports/driven/project-files.js';
import { FeatureFolder, type FeatureFolderOptions } from '../lessons/feature-folder.js';
import type { Project } from '../projects/project.js';
import type { MemoryFolder } from '../upkeep/memory-folder.js';

export interface DigestSourcesOptions extends FeatureFolderOptions {
  readonly memory: MemoryFolder;
}

/** What a digest is to be made of. */
export interface DigestMaterial {
  /** Name of the digest's file. */
  readonly name: string;
  readonly title: string;
  readonly sources: readonly DigestSource[];
  /** The texts of all sources, without their frontmatter. */
  readonly text: string;
}

/** A directory whose files are read; it needs no store. */
type Directory = Pick<Project, 'path'>;

/** Reads what digests are made of. */
export class DigestSources {
  readonly #options: DigestSourcesOptions;
  readonly #features: FeatureFolder;

  constructor(options: DigestSourcesOptions) {
    this.#options = options;
    this.#features = new FeatureFolder(options);
  }

  /** @throws KnowledgeError `category_not_found` */
  async ofCategory(directory: Directory, category: string): Promise<DigestMaterial> {
    const file = await this.#options.memory.readCategory(directory, category);
    if (file === undefined) {
      throw new KnowledgeError('category_not_found', `There is no memory category "${category}".`);
    }
    const sourceFile = categoryPath(this.#options.appDirs.of(directory.path), category);
    return {
      name: digestName('category', category),
      title: `Digest of ${category}`,
      sources: [{ sourceFile, hash: file.hash }],
      text: splitFrontmatter(file.text).body,
    };
  }

  /** @throws KnowledgeError `not_found` where no feature of the epic has a reflection */
  async ofEpic(directory: Directory, epicId: string): Promise<DigestMaterial> {
    const reflections = await this.#reflections(directory, epicId);
    if (reflections.length === 0) {
      throw new KnowledgeError(
        'not_found',
        'There is no feature of this epicId that has a reflection.',
      );
    }
    return {
      name: digestName('epic', epicId),
      title: `Digest of epic ${epicId}`,
      sources: reflections.map(({ sourceFile, file }) => ({ sourceFile, hash: file.hash })),
      text: reflections
        .map(({ title, file }) => `# ${title}\n\n${splitFrontmatter(file.text).body.trim()}\n`)
        .join('\n'),
    };
  }

  async #reflections(directory: Directory, epicId: string): Promise<readonly Reflection[]> {
    const reflections: Reflection[] = [];
    for (const feature of await this.#features.allFeatures(directory)) {
      if (feature.epicId !== epicId) continue;
      const sourceFile = this.#features.reflectionFile(directory, feature.id);
      const file = await this.#options.files.readText(directory.path, sourceFile);
      if (file === undefined || 'skipped' in file || file.text.trim() === '') continue;
      reflections.push({ sourceFile, title: feature.title ?? feature.id, file });
    }
    return reflections;
  }
}

interface Reflection {
  readonly sourceFile: string;
  /** Of its feature. */
  readonly title: string;
  readonly file: TextFile;
}
