import type { ServiceIdentifier } from 'inversify';
import type { Route } from '../../adapters/http/routes/route.js';
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
import type { FeatureLifecycle } from '../../ports/driving/feature-lifecycle.js';
import type { KnowledgeStore } from '../../ports/driving/knowledge-store.js';
import type { Config } from '../config.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import type { Ingestion } from '../ingestion/ingestion.js';
import type { SourceReader } from '../ingestion/source-reader.js';
import type { Projects } from '../projects/projects.js';
import type { Retriever } from '../search/retriever.js';
import type { Search } from '../search/search.js';
import type { Compaction } from '../upkeep/compaction.js';
import type { MemoryFolder } from '../upkeep/memory-folder.js';
import type { Pruning } from '../upkeep/pruning.js';
import type { LanguageModel } from './language-model.js';

/** The type of a token is that of its service, so that a wrong or missing dependency does not compile. */
function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

/** What is decided outside: the configuration, and the ports that a host program may replace. */
export const CONFIG = token<Config>('Config');
export const CLOCK = token<Clock>('Clock');
export const LOGGER = token<Logger>('Logger');
export const PROJECT_DIRECTORIES = token<ProjectDirectories>('ProjectDirectories');
export const PROJECT_FILES = token<ProjectFiles>('ProjectFiles');
export const PROJECT_STORES = token<ProjectStores>('ProjectStores');
export const FRONTMATTER_PARSER = token<FrontmatterParser>('FrontmatterParser');
export const LANGUAGE_MODEL = token<LanguageModel>('LanguageModel');
export const QUESTION_GENERATOR = token<QuestionGenerator>('QuestionGenerator');
export const SUMMARIZER = token<Summarizer>('Summarizer');
export const LESSON_EXTRACTOR = token<LessonExtractor>('LessonExtractor');

/** Where the variants differ. */
export const EMBEDDER = token<Embedder>('Embedder');
export const SETTINGS_SOURCE = token<SettingsSource>('SettingsSource');
export const ENRICHMENT = token<Enrichment>('Enrichment');
export const RETRIEVER = token<Retriever>('Retriever');
export const TEXT_RETRIEVER = token<Retriever>('TextRetriever');
export const ROUTES = token<readonly Route[]>('Routes');

/** Use cases. */
export const SOURCE_READER = token<SourceReader>('SourceReader');
export const INGESTION = token<Ingestion>('Ingestion');
export const PROJECTS = token<Projects>('Projects');
export const SEARCH = token<Search>('Search');
export const MEMORY_FOLDER = token<MemoryFolder>('MemoryFolder');
export const COMPACTION = token<Compaction>('Compaction');
export const PRUNING = token<Pruning>('Pruning');
export const KNOWLEDGE_STORE = token<KnowledgeStore>('KnowledgeStore');
export const FEATURE_LIFECYCLE = token<FeatureLifecycle>('FeatureLifecycle');
