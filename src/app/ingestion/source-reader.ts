import { deadPatternReason } from '../../domain/documentation.js';
import {
  agentOutputPath,
  categoryPath,
  documentNames,
  featureOfSource,
  featuresFolder,
  isCategoryDocument,
  isMemoryPath,
  memoryFolder,
  reflectionPath,
  SAVED_TYPES,
  savedFileAt,
  savedFolder,
  savedPath,
} from '../../domain/project-layout.js';
import type { Settings } from '../../domain/settings.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { IndexedSource } from '../../ports/source-repository.js';
import type { Citing } from '../citations/citation-finder.js';
import {
  joined,
  leftOutEntries,
  listingOf,
  Source,
  type SourceFiles,
  type SourceListing,
} from './source.js';
import { type ChunkPlace, type SourceFormat, SourceFormats } from './source-format.js';

interface SourceReaderOptions {
  readonly files: ProjectFileReader;
  readonly frontmatter: FrontmatterParser;
  readonly appDirs: AppDirectories;
  readonly citing: Pick<Citing, 'mark'>;
}

/** `saved`: notes, web pages, digests and documents. */
export type SourceGroup = 'reflections' | 'agentOutputs' | 'categories' | 'saved' | 'documentation';

/** Lets a caller see how far a long call is, and end it. */
export interface Watching {
  /** Called often; must return at once and not throw. */
  readonly onProgress?:
    | ((amount: { readonly done: number; readonly total: number }) => void)
    | undefined;
  /** Once it is aborted, the call ends as soon as it can. */
  readonly signal?: AbortSignal | undefined;
}

/** Which sources; default all. */
export interface Wanted {
  readonly group?: SourceGroup;
  /** Only those at or below these paths. */
  readonly within?: readonly string[] | undefined;
}

/** Finds the sources of a project, and how each is read. */
export class SourceReader {
  readonly #options: SourceReaderOptions;
  readonly #readings: SourceFiles['readings'] = new Map();
  readonly #formats: SourceFormats;

  constructor(options: SourceReaderOptions) {
    this.#options = options;
    this.#formats = new SourceFormats(options);
  }

  async list(project: string, settings: Settings, wanted: Wanted = {}): Promise<SourceListing> {
    const lists: Record<SourceGroup, () => Promise<SourceListing>> = {
      reflections: () =>
        this.#ofFeatures(project, this.#formats.reflection(settings), reflectionPath),
      agentOutputs: () => this.#ofFeatures(project, this.#formats.agentOutput, agentOutputPath),
      categories: () => this.#categories(project, settings),
      saved: () => this.#saved(project, settings),
      documentation: () => this.#documentation(project, settings, wanted.within),
    };
    if (wanted.group !== undefined) return lists[wanted.group]();
    const listings: SourceListing[] = [];
    for (const list of Object.values(lists)) listings.push(await list());
    return joined(listings);
  }

  groupOf(project: string, { sourceType, sourceFile }: IndexedSource): SourceGroup {
    const appDir = this.#options.appDirs.of(project);
    if (sourceType === 'reflection') return 'reflections';
    if (sourceType === 'agent_output') return 'agentOutputs';
    if (isMemoryPath(appDir, sourceFile)) return 'categories';
    return savedFileAt(appDir, sourceFile) === undefined ? 'documentation' : 'saved';
  }

  /** The file at a path as a source, whether it would be listed or not. */
  sourceOf(project: string, sourceFile: string, settings: Settings): Source {
    return this.#sourcesOf(project, this.#formatOf(project, sourceFile, settings))(sourceFile);
  }

  /** Where the chunks of a file would begin in this text of it. */
  placesIn(
    { project, sourceFile }: { readonly project: string; readonly sourceFile: string },
    text: string,
    settings: Settings,
  ): readonly ChunkPlace[] {
    return this.#formatOf(project, sourceFile, settings).places(text, sourceFile);
  }

  async #ofFeatures(
    project: string,
    format: SourceFormat,
    pathOf: (appDir: string, featureId: string) => string,
  ): Promise<SourceListing> {
    const appDir = this.#options.appDirs.of(project);
    const features = await this.#options.files.listFolder(project, featuresFolder(appDir));
    const toSource = this.#sourcesOf(project, format);
    return listingOf(features, (id) => toSource(pathOf(appDir, id)));
  }

  async #categories(project: string, settings: Settings): Promise<SourceListing> {
    const appDir = this.#options.appDirs.of(project);
    const toSource = this.#sourcesOf(project, this.#formats.document(settings));
    const found = await this.#options.files.listFolder(project, memoryFolder(appDir));
    const categories = { ...found, paths: documentNames(found.paths).filter(isCategoryDocument) };
    return listingOf(categories, (name) => toSource(categoryPath(appDir, name)));
  }

  async #saved(project: string, settings: Settings): Promise<SourceListing> {
    const { files, appDirs } = this.#options;
    const appDir = appDirs.of(project);
    const listings = SAVED_TYPES.map(async (sourceType) => {
      const toSource = this.#sourcesOf(project, this.#formats.saved(settings, sourceType));
      const folder = savedFolder(appDir, sourceType);
      if (sourceType === 'file') return listingOf(await files.listBelow(project, folder), toSource);
      const found = await files.listFolder(project, folder);
      const names = { ...found, paths: documentNames(found.paths) };
      return listingOf(names, (name) => toSource(savedPath(appDir, { sourceType, name })));
    });
    return joined(await Promise.all(listings));
  }

  async #documentation(
    project: string,
    settings: Settings,
    within: readonly string[] | undefined,
  ): Promise<SourceListing> {
    const { files } = this.#options;
    const { includePatterns: include, excludePatterns: exclude, ignore } = settings;
    const paths = await files.listMarkdown(project, { include, exclude, ignore, within });
    const found = listingOf(paths, this.#sourcesOf(project, this.#formats.document(settings)));
    const dead = [...include, ...exclude].flatMap((pattern) => {
      const reason = deadPatternReason(pattern);
      return reason === undefined ? [] : [{ sourceFile: pattern, reason }];
    });
    return { ...found, skipped: [...dead, ...found.skipped, ...leftOutEntries(paths.leftOut)] };
  }

  #formatOf(project: string, sourceFile: string, settings: Settings): SourceFormat {
    const appDir = this.#options.appDirs.of(project);
    const saved = savedFileAt(appDir, sourceFile);
    if (saved !== undefined) return this.#formats.saved(settings, saved.sourceType);
    const feature = featureOfSource(appDir, sourceFile);
    if (feature === undefined) return this.#formats.document(settings);
    return sourceFile === reflectionPath(appDir, feature)
      ? this.#formats.reflection(settings)
      : this.#formats.agentOutput;
  }

  #sourcesOf(project: string, format: SourceFormat): (sourceFile: string) => Source {
    const { files } = this.#options;
    const from = { project, files, format, readings: this.#readings };
    return (sourceFile) => new Source(from, sourceFile);
  }
}
