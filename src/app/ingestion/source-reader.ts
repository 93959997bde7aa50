import type { DraftChunk, SourceDocument, SourceType } from '../../domain/chunks/chunk.js';
import { chunkMarkdownFile } from '../../domain/chunks/chunking.js';
import { deadPatternReason } from '../../domain/documentation.js';
import {
  AGENT_OUTPUT_IMPORTANCE,
  AGENT_OUTPUT_TAIL_CHARACTERS,
  REFLECTION_IMPORTANCE,
} from '../../domain/limits.js';
import {
  agentOutputPath,
  categoryPath,
  featureOfSource,
  reflectionPath,
} from '../../domain/project-layout.js';
import { chunkTokenLimit, type Settings } from '../../domain/settings.js';
import type { IndexedSource } from '../../ports/driven/chunk-store.js';
import type { FrontmatterParser } from '../../ports/driven/frontmatter-parser.js';
import type {
  FileListing,
  FileReading,
  ProjectFileReader,
} from '../../ports/driven/project-files.js';
import type { SkippedSource } from '../../ports/driving/ingestion-service.js';
import type { Source, SourceListing, SourceReading } from './source.js';

export interface SourceReaderPorts {
  readonly files: ProjectFileReader;
  readonly frontmatter: FrontmatterParser;
  readonly appDir: string;
}

/** Finds the sources of a project and knows how each kind becomes chunks. */
export class SourceReader {
  readonly #ports: SourceReaderPorts;

  constructor(ports: SourceReaderPorts) {
    this.#ports = ports;
  }

  async reflections(project: string, settings: Settings): Promise<SourceListing> {
    const features = await this.#ports.files.listFeatures(project);
    return listing(features, (id) => this.#reflection(project, id, settings));
  }

  async agentOutputs(project: string): Promise<SourceListing> {
    const features = await this.#ports.files.listFeatures(project);
    return listing(features, (id) => this.#agentOutput(project, id));
  }

  async categories(project: string, settings: Settings): Promise<SourceListing> {
    const categories = await this.#ports.files.listCategories(project);
    return listing(categories, (name) =>
      this.#document(project, categoryPath(this.#ports.appDir, name), settings),
    );
  }

  async documentation(project: string, settings: Settings): Promise<SourceListing> {
    const paths = await this.#ports.files.listMarkdown(project, {
      include: settings.includePatterns,
      exclude: settings.excludePatterns,
    });
    const found = listing(paths, (path) => this.#document(project, path, settings));
    return { ...found, skipped: settings.includePatterns.flatMap(deadPattern) };
  }

  /** The source that was indexed once, wherever its file is now. */
  sourceOf(project: string, indexed: IndexedSource, settings: Settings): Source {
    const { sourceType, sourceFile } = indexed;
    const feature = featureOfSource(this.#ports.appDir, sourceFile);
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

  #document(project: string, sourceFile: string, settings: Settings): Source {
    return this.#markdown(project, sourceFile, {
      sourceType: 'file',
      importance: settings.defaultImportance,
      maxTokens: chunkTokenLimit(settings),
    });
  }

  #markdown(project: string, sourceFile: string, rules: MarkdownRules): Source {
    const { sourceType, importance, maxTokens, defaultHeading } = rules;
    const { files, frontmatter } = this.#ports;
    return this.#source(project, {
      sourceType,
      sourceFile,
      read: () => files.readText(project, sourceFile),
      hashPrefix: `${[CHUNKER_VERSION, maxTokens, importance].join(':')}:`,
      toChunks: (text) =>
        chunkMarkdownFile(text, {
          parseYaml: (yaml) => frontmatter.parse(yaml, sourceFile),
          maxTokens,
          ...(defaultHeading !== undefined && { defaultHeading }),
        }).map(({ chunkIndex: _, ...chunk }) => ({ importance, ...chunk })),
    });
  }

  #agentOutput(project: string, id: string): Source {
    const sourceFile = agentOutputPath(this.#ports.appDir, id);
    return this.#source(project, {
      sourceType: 'agent_output',
      sourceFile,
      read: () => this.#ports.files.readTail(project, sourceFile, AGENT_OUTPUT_TAIL_CHARACTERS),
      hashPrefix: '',
      toChunks: (text) => tailChunk(text, `Agent output: ${id}`),
    });
  }

  #source(project: string, kind: SourceKind): Source {
    const { sourceType, sourceFile, read } = kind;
    return {
      sourceType,
      sourceFile,
      read: async () => readingOf(kind, await read()),
      version: () => this.#ports.files.versionOf(project, sourceFile),
    };
  }
}

/** Part of the hash of a source: another way of cutting means that its chunks must be made again. */
const CHUNKER_VERSION = 2;

interface MarkdownRules {
  readonly sourceType: SourceType;
  /** Of the chunks without one of their own. */
  readonly importance: number;
  readonly maxTokens: number;
  readonly defaultHeading?: string;
}

/** How the files of one kind are read and cut. */
interface SourceKind {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly read: () => Promise<FileReading>;
  /** What the chunks depend on besides the text. */
  readonly hashPrefix: string;
  readonly toChunks: (text: string) => readonly DraftChunk[];
}

function listing(found: FileListing, toSource: (path: string) => Source): SourceListing {
  return { sources: found.paths.map(toSource), unreadable: found.unreadable, skipped: [] };
}

function deadPattern(pattern: string): readonly SkippedSource[] {
  const reason = deadPatternReason(pattern);
  return reason === undefined ? [] : [{ sourceFile: pattern, reason }];
}

function readingOf(kind: SourceKind, reading: FileReading): SourceReading {
  if (reading === undefined || 'skipped' in reading) return reading;
  const { sourceType, sourceFile, hashPrefix, toChunks } = kind;
  const contentHash = `${hashPrefix}${reading.hash}`;
  const toDocument = (): SourceDocument => ({
    sourceType,
    sourceFile,
    contentHash,
    chunks: toChunks(reading.text),
  });
  return { contentHash, version: reading.version, toDocument };
}

function tailChunk(content: string, heading: string): readonly DraftChunk[] {
  return content.trim() === '' ? [] : [{ heading, content, importance: AGENT_OUTPUT_IMPORTANCE }];
}
