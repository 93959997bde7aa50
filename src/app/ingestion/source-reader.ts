import { deadPatternReason } from '../../domain/documentation.js';
import {
  agentOutputPath,
  categoryPath,
  documentNames,
  featureOfSource,
  featuresFolder,
  isCategoryDocument,
  memoryFolder,
  reflectionPath,
  SAVED_TYPES,
  savedFileAt,
  savedFolder,
  savedPath,
} from '../../domain/project-layout.js';
import type { Settings } from '../../domain/settings.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { FrontmatterParser } from '../../ports/driven/frontmatter-parser.js';
import type { FileListing, ProjectFileReader } from '../../ports/driven/project-files.js';
import type { SkippedSource } from '../../ports/driving/ingestion-service.js';
import { FileSource } from './file-source.js';
import { KnownReadings } from './known-readings.js';
import { joined, listingOf, type Source, type SourceListing } from './source.js';
import { type SourceKind, SourceKinds } from './source-kind.js';

interface SourceReaderOptions {
  readonly files: ProjectFileReader;
  readonly frontmatter: FrontmatterParser;
  readonly appDirs: AppDirectories;
}

/** Finds the sources of a project, and how each is read. */
export class SourceReader {
  readonly #options: SourceReaderOptions;
  readonly #readings: KnownReadings;
  readonly #kinds: SourceKinds;

  constructor(options: SourceReaderOptions) {
    this.#options = options;
    this.#readings = new KnownReadings(options.files);
    this.#kinds = new SourceKinds(options);
  }

  /** Sources of every kind. @param within only the documentation at or below these paths; default all */
  async all(
    project: string,
    settings: Settings,
    within?: readonly string[],
  ): Promise<SourceListing> {
    return joined([
      await this.reflections(project, settings),
      await this.agentOutputs(project),
      await this.categories(project, settings),
      await this.saved(project, settings),
      await this.documentation(project, settings, within),
    ]);
  }

  async reflections(project: string, settings: Settings): Promise<SourceListing> {
    const features = await this.#features(project);
    const toSource = this.#sourcesOf(project, this.#kinds.reflection(settings));
    const appDir = this.#options.appDirs.of(project);
    return listingOf(features, (id) => toSource(reflectionPath(appDir, id)));
  }

  async agentOutputs(project: string): Promise<SourceListing> {
    const features = await this.#features(project);
    const toSource = this.#sourcesOf(project, this.#kinds.agentOutput);
    const appDir = this.#options.appDirs.of(project);
    return listingOf(features, (id) => toSource(agentOutputPath(appDir, id)));
  }

  async categories(project: string, settings: Settings): Promise<SourceListing> {
    const toSource = this.#sourcesOf(project, this.#kinds.document(settings));
    const appDir = this.#options.appDirs.of(project);
    const { paths, unreadable } = await this.#options.files.listFolder(
      project,
      memoryFolder(appDir),
    );
    const categories = { paths: documentNames(paths).filter(isCategoryDocument), unreadable };
    return listingOf(categories, (name) => toSource(categoryPath(appDir, name)));
  }

  /** Notes, web pages and digests. */
  async saved(project: string, settings: Settings): Promise<SourceListing> {
    const { files, appDirs } = this.#options;
    const appDir = appDirs.of(project);
    const listings = SAVED_TYPES.map(async (sourceType) => {
      const { paths, unreadable } = await files.listFolder(
        project,
        savedFolder(appDir, sourceType),
      );
      const toSource = this.#sourcesOf(project, this.#kinds.saved(settings, sourceType));
      const names = { paths: documentNames(paths), unreadable };
      return listingOf(names, (name) => toSource(savedPath(appDir, { sourceType, name })));
    });
    return joined(await Promise.all(listings));
  }

  /** @param within only what is at or below these paths; default all */
  async documentation(
    project: string,
    settings: Settings,
    within?: readonly string[],
  ): Promise<SourceListing> {
    const paths = await this.#options.files.listMarkdown(project, {
      include: settings.includePatterns,
      exclude: settings.excludePatterns,
      ignore: settings.ignore,
      within,
    });
    const found = listingOf(paths, this.#sourcesOf(project, this.#kinds.document(settings)));
    const appDir = this.#options.appDirs.of(project);
    const skipped = settings.includePatterns.flatMap((pattern) => deadPattern(pattern, appDir));
    return { ...found, skipped };
  }

  /** The file at a path as a source, whether it would be listed or not. */
  sourceOf(project: string, sourceFile: string, settings: Settings): Source {
    return this.#sourcesOf(project, this.#kindOf(project, sourceFile, settings))(sourceFile);
  }

  #features(project: string): Promise<FileListing> {
    return this.#options.files.listFolder(
      project,
      featuresFolder(this.#options.appDirs.of(project)),
    );
  }

  #kindOf(project: string, sourceFile: string, settings: Settings): SourceKind {
    const appDir = this.#options.appDirs.of(project);
    const saved = savedFileAt(appDir, sourceFile);
    if (saved !== undefined) return this.#kinds.saved(settings, saved.sourceType);
    const feature = featureOfSource(appDir, sourceFile);
    if (feature === undefined) return this.#kinds.document(settings);
    return sourceFile === reflectionPath(appDir, feature)
      ? this.#kinds.reflection(settings)
      : this.#kinds.agentOutput;
  }

  #sourcesOf(project: string, kind: SourceKind): (sourceFile: string) => Source {
    const reader = { project, readings: this.#readings, kind };
    return (sourceFile) => new FileSource(reader, sourceFile);
  }
}

function deadPattern(pattern: string, appDir: string): readonly SkippedSource[] {
  const reason = deadPatternReason(pattern, appDir);
  return reason === undefined ? [] : [{ sourceFile: pattern, reason }];
}
