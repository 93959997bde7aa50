import type { SourceType } from '../../domain/chunks/chunk.js';
import { type ChunkingOptions, cutMarkdownFile } from '../../domain/chunks/chunking.js';
import {
  mayHoldStatus,
  readRetiredStatus,
  retiredStatusInText,
} from '../../domain/chunks/document-status.js';
import {
  frontmatterValue,
  mayHoldMetadata,
  readFrontmatter,
  readSupersedes,
  splitFrontmatter,
} from '../../domain/chunks/frontmatter.js';
import { isPlainMapping } from '../../domain/chunks/mapping-lines.js';
import { CONFLICT_TAG, hasMergeConflict } from '../../domain/chunks/merge-conflicts.js';
import { syntaxFor } from '../../domain/chunks/other-syntaxes.js';
import {
  AGENT_OUTPUT_IMPORTANCE,
  DEFAULT_IMPORTANCE,
  FRONTMATTER_MAX_CHARACTERS,
  REFLECTION_IMPORTANCE,
} from '../../domain/limits.js';
import { type SavedType, savedPath } from '../../domain/project-layout.js';
import { readExpiry } from '../../domain/saved/note-dates.js';
import { noteNames } from '../../domain/saved/note-names.js';
import { withExchangeTimes } from '../../domain/sessions/session-chunks.js';
import { chunkSizes, type Settings } from '../../domain/settings.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { Citing } from '../citations/citation-finder.js';
import { agentOutputFormat, featureFolder } from './agent-output-format.js';
import type { SourceFormat } from './source-format.js';

interface SourceFormatOptions {
  readonly appDirs: AppDirectories;
  readonly files: Pick<ProjectFileReader, 'readText' | 'readTail'>;
  readonly frontmatter: FrontmatterParser;
  readonly citing: Pick<Citing, 'mark'>;
}

export class SourceFormats {
  readonly #options: SourceFormatOptions;
  readonly #hashPrefix: string;
  readonly agentOutput: SourceFormat;

  constructor(options: SourceFormatOptions) {
    this.#options = options;
    this.#hashPrefix = `${CHUNKER_VERSION}${options.citing.mark}:`;
    this.agentOutput = agentOutputFormat(options.files, this.#hashPrefix);
  }

  document(settings: Settings): SourceFormat {
    return this.#markdown(settings, {
      sourceType: 'file',
      importance: settings.defaultImportance,
    });
  }

  reflection(settings: Settings): SourceFormat {
    return this.#markdown(settings, {
      sourceType: 'reflection',
      importance: REFLECTION_IMPORTANCE,
      headingOf: (file) => `Reflection: ${featureFolder(file)}`,
    });
  }

  /** One chunk per exchange, created at the time of the exchange. */
  session(settings: Settings): SourceFormat {
    const kind = this.#markdown(settings, {
      sourceType: 'agent_output',
      importance: AGENT_OUTPUT_IMPORTANCE,
      cutting: { syntax: 'conversation' },
    });
    return {
      ...kind,
      cut: (text, sourceFile) => {
        const { chunks, names } = kind.cut(text, sourceFile);
        return { chunks: withExchangeTimes(chunks), names };
      },
    };
  }

  /** Notes, web pages, digests and documents. */
  saved(settings: Settings, sourceType: SavedType): SourceFormat {
    const kind = this.#markdown(settings, {
      sourceType,
      importance: sourceType === 'file' ? settings.defaultImportance : DEFAULT_IMPORTANCE,
      cutting: { ...(sourceType !== 'file' && { loneTitle: 'prepend' }), metadataOf: 'every' },
    });
    return sourceType === 'manual' ? this.#withLinks(kind) : kind;
  }

  /** Returns tags for all chunks of a file: a retired status that it declares, and a mark for merge conflicts. */
  #marks(text: string, sourceFile: string): readonly string[] {
    const { yaml = '', body } = splitFrontmatter(text);
    const parse = (one: string) => this.#options.frontmatter.parse(one, sourceFile);
    const declared = mayHoldStatus(yaml)
      ? readRetiredStatus(frontmatterValue(yaml, parse))
      : undefined;
    const status = declared ?? retiredStatusInText(body);
    return [...(hasMergeConflict(text) ? [CONFLICT_TAG] : []), ...(status ? [status] : [])];
  }

  #withLinks(kind: SourceFormat): SourceFormat {
    const { appDirs, frontmatter } = this.#options;
    const fieldsOf = (text: string, sourceFile: string): unknown =>
      readFrontmatter(text, (yaml) => frontmatter.parse(yaml, sourceFile)).value;
    return {
      ...kind,
      expires: (text, sourceFile) => readExpiry(fieldsOf(text, sourceFile)),
      supersedes(text, { project, sourceFile }) {
        const given = readSupersedes(fieldsOf(text, sourceFile));
        const name = given && noteNames(given).at(-1);
        return name && savedPath(appDirs.of(project), { sourceType: 'manual', name });
      },
    };
  }

  #markdown(settings: Settings, rules: MarkdownRules): SourceFormat {
    const { sourceType, importance, headingOf, cutting = {} } = rules;
    const { files, frontmatter } = this.#options;
    const sizes = chunkSizes(settings);
    const optionsFor = (sourceFile: string): ChunkingOptions => ({
      parseYaml: (yaml) => frontmatter.parse(yaml, sourceFile),
      syntax: syntaxFor(sourceFile),
      ...sizes,
      ...cutting,
      ...(headingOf && { defaultHeading: headingOf(sourceFile) }),
    });
    return {
      sourceType,
      read: (project, sourceFile) => files.readText(project, sourceFile),
      hashPrefix: `${this.#hashPrefix}${[...Object.values(sizes), importance, ...Object.values(cutting)].join(':')}:`,
      cut: (text, sourceFile) => {
        const { chunks, names } = cutMarkdownFile(text, optionsFor(sourceFile));
        const marks = this.#marks(text, sourceFile);
        return {
          chunks: chunks.map((chunk) => ({ importance, ...withTags(chunk, marks) })),
          names,
        };
      },
      problems: (text, sourceFile) => this.#problems(text, sourceFile),
    };
  }

  #problems(text: string, sourceFile: string): readonly string[] {
    if (hasMergeConflict(text)) return [CONFLICT];
    const { yaml = '' } = splitFrontmatter(text);
    if (!mayHoldMetadata(yaml)) return [];
    if (yaml.length > FRONTMATTER_MAX_CHARACTERS) return [TOO_LONG];
    const { frontmatter } = this.#options;
    const isYaml = isPlainMapping(yaml) || frontmatter.parse(yaml, sourceFile) !== undefined;
    return isYaml ? [] : [NOT_YAML];
  }
}

function withTags<Tagged extends { readonly tags?: readonly string[] }>(
  chunk: Tagged,
  added: readonly string[],
): Tagged {
  return added.length === 0
    ? chunk
    : { ...chunk, tags: [...new Set([...(chunk.tags ?? []), ...added])] };
}

const CONFLICT = `it contains merge conflict markers, so both versions are indexed, with the tag ${CONFLICT_TAG}`;

const NOT_YAML =
  'its frontmatter is not valid YAML, so only tags, importance, cites, supersedes, title, aliases and description were read, entry by entry';

const TOO_LONG = `its frontmatter is longer than ${FRONTMATTER_MAX_CHARACTERS} characters, so it is ignored`;

/** Part of the hash of each source, so that a change in cutting or citing invalidates its chunks. */
export const CHUNKER_VERSION = 14;

interface MarkdownRules {
  readonly sourceType: SourceType;
  /** Importance of chunks that do not set their own. */
  readonly importance: number;
  /** Returns the heading for chunks that have none. */
  readonly headingOf?: (sourceFile: string) => string;
  readonly cutting?: Pick<ChunkingOptions, 'loneTitle' | 'metadataOf' | 'syntax'>;
}
