import type { DraftChunk, SourceDocument, SourceType } from '../../domain/chunks/chunk.js';
import { chunkMarkdownFile } from '../../domain/chunks/chunking.js';
import {
  AGENT_OUTPUT_IMPORTANCE,
  AGENT_OUTPUT_TAIL_CHARACTERS,
  REFLECTION_IMPORTANCE,
} from '../../domain/limits.js';
import { chunkTokenLimit, type Settings } from '../../domain/settings.js';
import type { FrontmatterParser } from '../../ports/driven/frontmatter-parser.js';
import type { FileReading, ProjectFiles, TextFile } from '../../ports/driven/project-files.js';
import type { Source } from './source.js';

export interface SourceReaderPorts {
  readonly files: ProjectFiles;
  readonly frontmatter: FrontmatterParser;
  readonly appDir: string;
}

/** Finds the sources of a project and knows how each kind becomes chunks. */
export class SourceReader {
  readonly #ports: SourceReaderPorts;

  constructor(ports: SourceReaderPorts) {
    this.#ports = ports;
  }

  async reflections(project: string, settings: Settings): Promise<readonly Source[]> {
    const { paths } = await this.#ports.files.listFeatures(project);
    return paths.map((id) =>
      this.#markdown(project, this.featureFile(id, 'reflection.md'), {
        sourceType: 'reflection',
        importance: REFLECTION_IMPORTANCE,
        maxTokens: chunkTokenLimit(settings),
        defaultHeading: `Reflection: ${id}`,
      }),
    );
  }

  async agentOutputs(project: string): Promise<readonly Source[]> {
    const { paths } = await this.#ports.files.listFeatures(project);
    return paths.map((id) => this.#agentOutput(project, id));
  }

  async categories(project: string, settings: Settings): Promise<readonly Source[]> {
    const { paths } = await this.#ports.files.listCategories(project);
    return paths.map((name) => this.#document(project, this.categoryFile(name), settings));
  }

  async documentation(project: string, settings: Settings): Promise<readonly Source[]> {
    const { paths } = await this.#ports.files.listMarkdown(project, {
      include: settings.includePatterns,
      exclude: settings.excludePatterns,
    });
    return paths.map((path) => this.#document(project, path, settings));
  }

  featureFile(id: string, name: string): string {
    return `${this.#ports.appDir}/features/${id}/${name}`;
  }

  /** The source files whose chunks are a feature's own. */
  filesOfFeature(id: string): readonly string[] {
    return [this.featureFile(id, 'reflection.md'), this.featureFile(id, 'agent-output.md')];
  }

  categoryFile(name: string): string {
    return `${this.#ports.appDir}/memory/${name}.md`;
  }

  /** Whether a source file is a memory category, which the patterns of the documentation do not concern. */
  isCategoryFile(sourceFile: string): boolean {
    return sourceFile.startsWith(this.categoryFile('').slice(0, -'.md'.length));
  }

  #document(project: string, sourceFile: string, settings: Settings): Source {
    return this.#markdown(project, sourceFile, {
      sourceType: 'file',
      importance: settings.defaultImportance,
      maxTokens: chunkTokenLimit(settings),
    });
  }

  #markdown(project: string, sourceFile: string, rules: MarkdownRules): Source {
    const { files, frontmatter } = this.#ports;
    const { sourceType, importance, maxTokens, defaultHeading } = rules;
    const toDocument = (file: TextFile): SourceDocument => ({
      sourceType,
      sourceFile,
      contentHash: [CHUNKER_VERSION, maxTokens, importance, file.hash].join(':'),
      chunks: chunkMarkdownFile(file.text, {
        parseYaml: (yaml) => frontmatter.parse(yaml, sourceFile),
        maxTokens,
        ...(defaultHeading !== undefined && { defaultHeading }),
      }).map(({ chunkIndex: _, ...chunk }) => ({ importance, ...chunk })),
    });
    return {
      sourceType,
      sourceFile,
      read: async () => documentOf(await files.readText(project, sourceFile), toDocument),
    };
  }

  #agentOutput(project: string, id: string): Source {
    const sourceFile = this.featureFile(id, 'agent-output.md');
    const toDocument = (file: TextFile): SourceDocument => ({
      sourceType: 'agent_output',
      sourceFile,
      contentHash: file.hash,
      chunks: tailChunk(file.text, `Agent output: ${id}`),
    });
    return {
      sourceType: 'agent_output',
      sourceFile,
      read: async () =>
        documentOf(
          await this.#ports.files.readTail(project, sourceFile, AGENT_OUTPUT_TAIL_CHARACTERS),
          toDocument,
        ),
    };
  }
}

/** Part of the hash of a source: another way of cutting means that its chunks must be made again. */
const CHUNKER_VERSION = 1;

interface MarkdownRules {
  readonly sourceType: SourceType;
  /** Of the chunks without one of their own. */
  readonly importance: number;
  readonly maxTokens: number;
  readonly defaultHeading?: string;
}

function documentOf(reading: FileReading, toDocument: (file: TextFile) => SourceDocument) {
  return reading === undefined || 'skipped' in reading ? reading : toDocument(reading);
}

function tailChunk(content: string, heading: string): readonly DraftChunk[] {
  return content.trim() === '' ? [] : [{ heading, content, importance: AGENT_OUTPUT_IMPORTANCE }];
}
