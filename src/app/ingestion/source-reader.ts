import { deadPartReason, deadPatternReason } from '../../domain/documentation.js';
import { settingsPath } from '../../domain/project-layout.js';
import type { Settings } from '../../domain/settings.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { IndexedSource } from '../../ports/source-repository.js';
import type { SkippedSource } from '../../schemas/sources.js';
import type { Citing } from '../citations/citation-finder.js';
import { Source, type SourceFiles } from './source.js';
import type { SourceFormat } from './source-format.js';
import { SourceFormats } from './source-formats.js';
import { findSourceKind, SOURCE_KINDS, type SourceGroup, type SourceKind } from './source-kinds.js';
import { joinListings, type SourceListing, toListing } from './source-listing.js';

interface SourceReaderOptions {
  readonly files: ProjectFileReader;
  readonly frontmatter: FrontmatterParser;
  readonly appDirs: AppDirectories;
  readonly citing: Pick<Citing, 'mark'>;
}

/** Lets a caller follow the progress of a long call, and cancel it. */
export interface CallOptions {
  /** Called often; must return at once and not throw. */
  readonly onProgress?:
    | ((amount: { readonly done: number; readonly total: number }) => void)
    | undefined;
  /** Aborting it ends the call as soon as possible. */
  readonly signal?: AbortSignal | undefined;
}

/** Selects the sources to read; default all. */
export interface Wanted {
  readonly group?: SourceGroup;
  /** Only sources at or below these paths. */
  readonly within?: readonly string[] | undefined;
}

/** Finds the sources of a project, and how to read each. */
export class SourceReader {
  readonly #options: SourceReaderOptions;
  readonly #readings: SourceFiles['readings'] = new Map();
  readonly #formats: SourceFormats;

  constructor(options: SourceReaderOptions) {
    this.#options = options;
    this.#formats = new SourceFormats(options);
  }

  async list(project: string, settings: Settings, wanted: Wanted = {}): Promise<SourceListing> {
    const isWanted = (group: SourceGroup) => (wanted.group ?? group) === group;
    const listings: SourceListing[] = [];
    for (const kind of SOURCE_KINDS.filter(({ group }) => isWanted(group))) {
      listings.push(await this.#listKind(project, kind, settings));
    }
    if (isWanted('documentation')) {
      listings.push(await this.#documentation(project, settings, wanted.within));
    }
    return joinListings(listings);
  }

  /** Returns a function that finds the group of a source; looks up the application directory only once. */
  groupFinder(project: string): (source: IndexedSource) => SourceGroup {
    const appDir = this.#options.appDirs.of(project);
    return ({ sourceFile }) => findSourceKind(appDir, sourceFile)?.group ?? 'documentation';
  }

  /** The file at a path as a source, whether or not it would be listed. */
  toSource(project: string, sourceFile: string, settings: Settings): Source {
    return this.#sourceMaker(project, this.#findFormat(project, sourceFile, settings))(sourceFile);
  }

  async #listKind(project: string, kind: SourceKind, settings: Settings): Promise<SourceListing> {
    const { files, appDirs } = this.#options;
    const found = await kind.list({ files, project, appDir: appDirs.of(project) });
    return toListing(found, this.#sourceMaker(project, kind.format(this.#formats, settings)));
  }

  async #documentation(
    project: string,
    settings: Settings,
    within: readonly string[] | undefined,
  ): Promise<SourceListing> {
    const { files } = this.#options;
    const { includePatterns: include, excludePatterns: exclude, ignore } = settings;
    const paths = await files.listMarkdown(project, { include, exclude, ignore, within });
    const found = toListing(paths, this.#sourceMaker(project, this.#formats.document(settings)));
    const dead = [
      ...include.map((pattern) => [pattern, deadPatternReason(pattern) ?? deadPartReason(pattern)]),
      ...exclude.map((pattern) => [pattern, deadPatternReason(pattern)]),
    ].flatMap(([sourceFile = '', reason]) =>
      reason === undefined ? [] : [{ sourceFile, reason }],
    );
    return {
      ...found,
      skipped: [...this.#unusedSettings(project, settings), ...dead, ...found.skipped],
    };
  }

  #unusedSettings(project: string, { problems = [] }: Settings): readonly SkippedSource[] {
    if (problems.length === 0) return [];
    const reasons = problems.map((problem) => problem.replace(/\.$/, ''));
    const sourceFile = settingsPath(this.#options.appDirs.of(project));
    return [{ sourceFile, reason: `${reasons.join('; ')}; the defaults apply`, isRead: true }];
  }

  #findFormat(project: string, sourceFile: string, settings: Settings): SourceFormat {
    const kind = findSourceKind(this.#options.appDirs.of(project), sourceFile);
    return kind?.format(this.#formats, settings) ?? this.#formats.document(settings);
  }

  #sourceMaker(project: string, format: SourceFormat): (sourceFile: string) => Source {
    const { files } = this.#options;
    const from = { project, files, format, readings: this.#readings };
    return (sourceFile) => new Source(from, sourceFile);
  }
}
