import type { SourceType } from '../../domain/chunks/chunk.js';
import { type ChunkingOptions, cutMarkdownFile } from '../../domain/chunks/chunking.js';
import { deadPatternReason } from '../../domain/documentation.js';
import {
  AGENT_OUTPUT_TAIL_CHARACTERS,
  DEFAULT_IMPORTANCE,
  REFLECTION_IMPORTANCE,
} from '../../domain/limits.js';
import {
  agentOutputPath,
  categoryPath,
  featureOfSource,
  reflectionPath,
  SAVED_TYPES,
  type SavedFile,
  savedFileAt,
  savedFolder,
  savedPath,
} from '../../domain/project-layout.js';
import { chunkTokenLimit, type Settings } from '../../domain/settings.js';
import type { IndexedSource } from '../../ports/driven/chunk-store.js';
import type { FrontmatterParser } from '../../ports/driven/frontmatter-parser.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';
import type { SkippedSource } from '../../ports/driving/ingestion-service.js';
import { KnownReadings } from './known-readings.js';
import { joined, listingOf, type Source, type SourceListing } from './source.js';
import { fileSource, tailChunk } from './source-kind.js';

export interface SourceReaderPorts {
  readonly files: ProjectFileReader;
  readonly frontmatter: FrontmatterParser;
  readonly appDir: string;
}

/** Enough to know how a source is read. */
export type KindOfSource = Pick<IndexedSource, 'sourceType' | 'sourceFile'>;

/** Finds the sources of a project and knows how each kind becomes chunks. */
export class SourceReader {
  readonly #ports: SourceReaderPorts;
  readonly #readings: KnownReadings;

  constructor(ports: SourceReaderPorts) {
    this.#ports = ports;
    this.#readings = new KnownReadings(ports.files);
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
    const features = await this.#ports.files.listFeatures(project);
    return listingOf(features, (id) => this.#reflection(project, id, settings));
  }

  async agentOutputs(project: string): Promise<SourceListing> {
    const features = await this.#ports.files.listFeatures(project);
    return listingOf(features, (id) => this.#agentOutput(project, id));
  }

  async categories(project: string, settings: Settings): Promise<SourceListing> {
    const categories = await this.#ports.files.listCategories(project);
    return listingOf(categories, (name) =>
      this.#document(project, categoryPath(this.#ports.appDir, name), settings),
    );
  }

  /** Notes, web pages and digests. */
  async saved(project: string, settings: Settings): Promise<SourceListing> {
    const { files, appDir } = this.#ports;
    const listings = SAVED_TYPES.map(async (sourceType) => {
      const names = await files.listDocuments(project, savedFolder(appDir, sourceType));
      return listingOf(names, (name) => this.#savedFile(project, { sourceType, name }, settings));
    });
    return joined(await Promise.all(listings));
  }

  /** @param within only what is at or below these paths; default all */
  async documentation(
    project: string,
    settings: Settings,
    within?: readonly string[],
  ): Promise<SourceListing> {
    const paths = await this.#ports.files.listMarkdown(project, {
      include: settings.includePatterns,
      exclude: settings.excludePatterns,
      ignore: settings.ignore,
      within,
    });
    const found = listingOf(paths, (path) => this.#document(project, path, settings));
    return { ...found, skipped: settings.includePatterns.flatMap(deadPattern) };
  }

  /** The source that was indexed once, wherever its file is now. */
  sourceOf(project: string, indexed: KindOfSource, settings: Settings): Source {
    const { sourceType, sourceFile } = indexed;
    const { appDir } = this.#ports;
    const saved = savedFileAt(appDir, sourceFile);
    if (saved !== undefined) return this.#savedFile(project, saved, settings);
    const feature = featureOfSource(appDir, sourceFile);
    if (feature === undefined) return this.#document(project, sourceFile, settings);
    return sourceType === 'reflection'
      ? this.#reflection(project, feature, settings)
      : this.#agentOutput(project, feature);
  }

  #reflection(project: string, id: string, settings: Settings): Source {
    return this.#markdown(project, reflectionPath(this.#ports.appDir, id), {
      sourceType: 'reflection',
      importance: REFLECTION_IMPORTANCE,
      maxTokens: chunkTokenLimit(settings),
      defaultHeading: `Reflection: ${id}`,
    });
  }

  #savedFile(project: string, file: SavedFile, settings: Settings): Source {
    return this.#markdown(project, savedPath(this.#ports.appDir, file), {
      sourceType: file.sourceType,
      importance: DEFAULT_IMPORTANCE,
      maxTokens: chunkTokenLimit(settings),
      loneTitle: 'prepend',
    });
  }

  #document(project: string, sourceFile: string, settings: Settings): Source {
    return this.#markdown(project, sourceFile, {
      sourceType: 'file',
      importance: settings.defaultImportance,
      maxTokens: chunkTokenLimit(settings),
    });
  }

  #markdown(project: string, sourceFile: string, rules: MarkdownRules): Source {
    const { sourceType, importance, maxTokens, defaultHeading, loneTitle = 'drop' } = rules;
    const { files, frontmatter } = this.#ports;
    const titleRule = loneTitle === 'drop' ? [] : [loneTitle];
    return fileSource(this.#readings, project, {
      sourceType,
      sourceFile,
      read: () => files.readText(project, sourceFile),
      hashPrefix: `${[CHUNKER_VERSION, maxTokens, importance, ...titleRule].join(':')}:`,
      *toChunks(text) {
        const chunks = yield* cutMarkdownFile(text, {
          parseYaml: (yaml) => frontmatter.parse(yaml, sourceFile),
          maxTokens,
          loneTitle,
          ...(defaultHeading !== undefined && { defaultHeading }),
        });
        return chunks.map(({ chunkIndex: _, ...chunk }) => ({ importance, ...chunk }));
      },
    });
  }

  #agentOutput(project: string, id: string): Source {
    const { files, appDir } = this.#ports;
    const sourceFile = agentOutputPath(appDir, id);
    return fileSource(this.#readings, project, {
      sourceType: 'agent_output',
      sourceFile,
      read: () => files.readTail(project, sourceFile, AGENT_OUTPUT_TAIL_CHARACTERS),
      hashPrefix: '',
      toChunks: (text) => tailChunk(text, `Agent output: ${id}`),
    });
  }
}

/** Part of the hash of a source: another way of cutting means that its chunks must be made again. */
export const CHUNKER_VERSION = 2;

interface MarkdownRules {
  readonly sourceType: SourceType;
  /** Of the chunks without one of their own. */
  readonly importance: number;
  readonly maxTokens: number;
  readonly defaultHeading?: string;
  readonly loneTitle?: ChunkingOptions['loneTitle'];
}

function deadPattern(pattern: string): readonly SkippedSource[] {
  const reason = deadPatternReason(pattern);
  return reason === undefined ? [] : [{ sourceFile: pattern, reason }];
}
