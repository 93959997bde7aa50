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
import type { MakeVectorIndex } from '../projects/with-vector-indexes.js';
import type { Downloads, LanguageModelConfig, LogLevel, StoreBackend, Variant } from './config.js';

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
  /** Keeps chunks and vectors: `sqlite` (default), one file per project, or `memory`, which writes nothing. */
  readonly backend?: StoreBackend | undefined;
  /** Embedding model on the hub, `owner/name`; default `Xenova/all-MiniLM-L6-v2`. An embedder of one's own names its own. */
  readonly model?: string | undefined;
  /** Base URL of another hub or mirror. */
  readonly modelHost?: string | undefined;
  /** `forbidden`: the model is used if it is in `dataDir`, and never fetched. Default `allowed`. */
  readonly downloads?: Downloads | undefined;
  /** Absent: no questions, no compaction, no lessons; search is unaffected. */
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
  /** Keeps chunks and vectors; in place of `backend`. */
  readonly stores?: ProjectStores | undefined;
  /** Makes the vector indexes of each project, over whatever keeps the chunks; in place of those of the store. */
  readonly vectors?: MakeVectorIndex | undefined;
  /** Turns text into vectors; in place of the transformer model. The search-only variant does not use it. */
  readonly embedder?: Embedder | undefined;
  /** Reads and writes the files of projects; in place of the disk. */
  readonly files?: ProjectFiles | undefined;
  /** Decides which directories are projects; in place of `roots`. */
  readonly directories?: ProjectDirectories | undefined;
  /** Settings of projects; in place of `settings.json`, or of the constants of the search-only variant. */
  readonly settings?: SettingsSource | undefined;
  readonly frontmatter?: FrontmatterParser | undefined;
  /** The three roles of the small language model; in place of `languageModel`. */
  readonly questions?: QuestionGenerator | undefined;
  readonly summarizer?: Summarizer | undefined;
  readonly lessons?: LessonExtractor | undefined;
  readonly clock?: Clock | undefined;
}
