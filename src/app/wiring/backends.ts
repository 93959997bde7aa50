import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { EMBEDDING_DIMENSIONS } from '../../domain/limits.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { FrontmatterParser } from '../../ports/driven/frontmatter-parser.js';
import type { LessonExtractor } from '../../ports/driven/lesson-extractor.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { ProjectDirectories } from '../../ports/driven/project-directories.js';
import type { ProjectFiles } from '../../ports/driven/project-files.js';
import type { ProjectStores } from '../../ports/driven/project-stores.js';
import type { QuestionGenerator } from '../../ports/driven/question-generator.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';
import type { Summarizer } from '../../ports/driven/summarizer.js';
import {
  type Config,
  ConfigError,
  type LanguageModelConfig,
  readConfig,
  type Variant,
} from '../config.js';
import * as t from './tokens.js';

/** How much the service's own logger writes, as JSON lines on standard error. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** What a program may decide; `docs/configuration.md` describes each as a variable of the process. */
export interface KnowledgeStoreOptions {
  /** `hybrid` (default) ranks by keyword and meaning, `search-only` by keyword. */
  readonly variant?: Variant | undefined;
  /** Name of the folder in each project that holds the database; default `.knowledge`. */
  readonly appDir?: string | undefined;
  /** Holds the embedding model in `models`; default `./data`. */
  readonly dataDir?: string | undefined;
  /** Absolute directories; a project outside all of them is refused. Absent: every directory is served. */
  readonly roots?: readonly string[] | undefined;
  /** Embedding model on the hub, `owner/name`; default `Xenova/all-MiniLM-L6-v2`. An embedder of one's own names its own. */
  readonly model?: string | undefined;
  /** Base URL of another hub or mirror. */
  readonly modelHost?: string | undefined;
  /** `forbidden`: the model is used if it is in `dataDir`, and never fetched. Default `allowed`. */
  readonly downloads?: Config['downloads'] | undefined;
  /** Absent: no questions, no compaction, no learnings; search is unaffected. */
  readonly languageModel?: LanguageModelConfig | undefined;
  /** How much is logged (default `warn`), or where: a logger of one's own gets everything. */
  readonly logger?: LogLevel | Logger | undefined;
  /** Adapters in place of those that come with the service. */
  readonly backends?: Backends | undefined;
}

/**
 * Adapters of a host program, each in place of the one that comes with the service. The doc comment
 * of each port says what is expected of it. `stores` and `embedder` belong to the service from then
 * on: it closes them when it stops.
 */
export interface Backends {
  /** Keeps chunks and vectors; in place of one SQLite file a project. */
  readonly stores?: ProjectStores;
  /** Turns text into vectors; in place of the transformer model. The search-only variant asks none. */
  readonly embedder?: Embedder;
  /** Reads and writes the files of projects; in place of the disk. */
  readonly files?: ProjectFiles;
  /** Decides which directories are projects; in place of `roots`. */
  readonly directories?: ProjectDirectories;
  /** Settings of projects; in place of `settings.json`, or of the constants of the search-only variant. */
  readonly settings?: SettingsSource;
  readonly frontmatter?: FrontmatterParser;
  /** The three roles of the small language model; in place of `languageModel`. */
  readonly questions?: QuestionGenerator;
  readonly summarizer?: Summarizer;
  readonly lessons?: LessonExtractor;
  readonly clock?: Clock;
}

/** The options are checked by the rules of the variables that say the same. */
export function configOf(options: KnowledgeStoreOptions): Config {
  const config = readConfig({
    [VARIABLES.variant]: options.variant,
    [VARIABLES.appDir]: options.appDir,
    [VARIABLES.dataDir]: options.dataDir,
    [VARIABLES.model]: options.model,
    [VARIABLES.modelHost]: options.modelHost,
    [VARIABLES['languageModel.baseUrl']]: options.languageModel?.baseUrl,
    [VARIABLES['languageModel.model']]: options.languageModel?.model,
    [VARIABLES['languageModel.apiKey']]: options.languageModel?.apiKey,
    [VARIABLES.logger]: typeof options.logger === 'string' ? options.logger : 'warn',
  });
  return {
    ...config,
    roots: checkedRoots(options.roots),
    downloads: checkedDownloads(options.downloads),
    model: modelOf(options) ?? config.model,
  };
}

/** A module that puts backends in the place of what was bound before. */
export function backendsModule({ logger, backends = {} }: KnowledgeStoreOptions): ContainerModule {
  return new ContainerModule(({ rebind }) => {
    const replace = <T>(token: ServiceIdentifier<T>, backend: T | undefined) => {
      if (backend !== undefined) rebind(token).toConstantValue(backend);
    };
    replace(t.PROJECT_STORES, backends.stores);
    replace(t.EMBEDDER, backends.embedder);
    replace(t.PROJECT_FILES, backends.files);
    replace(t.PROJECT_DIRECTORIES, backends.directories);
    replace(t.SETTINGS_SOURCE, backends.settings);
    replace(t.FRONTMATTER_PARSER, backends.frontmatter);
    replace(t.QUESTION_GENERATOR, backends.questions);
    replace(t.SUMMARIZER, backends.summarizer);
    replace(t.LESSON_EXTRACTOR, backends.lessons);
    replace(t.CLOCK, backends.clock);
    replace(t.LOGGER, typeof logger === 'object' ? logger : undefined);
  });
}

/** An error that begins with the name of a variable, with the option's in its place. */
export function namedForOption(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const found = Object.entries(VARIABLES).find(([, variable]) =>
    error.message.startsWith(`${variable} `),
  );
  if (found === undefined) return error;
  const [option, variable] = found;
  return new ConfigError(option + error.message.slice(variable.length), { cause: error });
}

const VARIABLES = {
  variant: 'KNOWLEDGE_VARIANT',
  appDir: 'KNOWLEDGE_APP_DIR',
  dataDir: 'DATA_DIR',
  model: 'KNOWLEDGE_MODEL',
  modelHost: 'KNOWLEDGE_MODEL_HOST',
  'languageModel.baseUrl': 'OPENAI_BASE_URL',
  'languageModel.apiKey': 'OPENAI_API_KEY',
  'languageModel.model': 'OPENAI_MODEL',
  logger: 'KNOWLEDGE_LOG_LEVEL',
} as const;

/** A list that came out empty is a mistake and not a wish: it would serve every directory. */
function checkedRoots(roots: readonly string[] | undefined): readonly string[] {
  const isUsable = roots === undefined || (roots.length > 0 && roots.every(isAbsolute));
  if (!isUsable) throw new ConfigError('roots must be a list of absolute paths, or absent.');
  return roots ?? [];
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

function checkedDownloads(downloads: Config['downloads'] = 'allowed'): Config['downloads'] {
  if (downloads === 'allowed' || downloads === 'forbidden') return downloads;
  throw new ConfigError('downloads must be "allowed" or "forbidden".');
}

/** Vectors are stored under the name of the model that made them. */
function modelOf({ backends, model }: KnowledgeStoreOptions): string | undefined {
  const embedder = backends?.embedder;
  if (embedder === undefined) return undefined;
  if (embedder.dimensions !== EMBEDDING_DIMENSIONS && backends?.stores === undefined) {
    throw new ConfigError(
      `backends.embedder must have ${EMBEDDING_DIMENSIONS} dimensions, which is what the database stores.`,
    );
  }
  if (model !== undefined && model !== embedder.model) {
    throw new ConfigError('model must be absent, or the model of backends.embedder.');
  }
  return embedder.model;
}
