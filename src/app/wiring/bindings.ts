import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  ContainerModule,
  type ContainerModuleLoadOptions,
  type ServiceIdentifier,
} from 'inversify';
import { HttpPageFetcher } from '../../adapters/fetch/http-page-fetcher.js';
import { AllowedProjectDirectories } from '../../adapters/files/allowed-project-directories.js';
import { appDirectories } from '../../adapters/files/app-directories.js';
import { FileSystemFileNames } from '../../adapters/files/file-lists.js';
import { FileSystemProjectFiles } from '../../adapters/files/file-system-project-files.js';
import { FileSystemSourceWatcher } from '../../adapters/files/file-system-source-watcher.js';
import { JsonRelevanceScales } from '../../adapters/files/json-relevance-scales.js';
import { JsonSessionConsents } from '../../adapters/files/json-session-consents.js';
import { JsonSessionLedgers } from '../../adapters/files/json-session-ledgers.js';
import { JsonShownPieces } from '../../adapters/files/json-shown-pieces.js';
import { nearestStore } from '../../adapters/files/nearest-project.js';
import { ProjectHistoryFiles } from '../../adapters/files/project-history-files.js';
import { ChatClient } from '../../adapters/openai/chat-client.js';
import {
  lessonExtractor,
  queryRewriter,
  questionGenerator,
  summarizer,
} from '../../adapters/openai/language-model.js';
import { SqliteDatabaseReader } from '../../adapters/sqlite/stores/sqlite-database-reader.js';
import { createPinoLogger } from '../../adapters/system/pino-logger.js';
import { systemClock } from '../../adapters/system/system-clock.js';
import { ClaudeTranscripts } from '../../adapters/transcripts/claude-transcripts.js';
import { CodexTranscripts } from '../../adapters/transcripts/codex-transcripts.js';
import { YamlFrontmatterParser } from '../../adapters/yaml/yaml-frontmatter-parser.js';
import { REFERENCE_MODEL } from '../../domain/ranking/cosine-scale.js';
import type { Clock } from '../../ports/clock.js';
import type {
  LessonExtractor,
  QueryRewriter,
  QuestionGenerator,
  Summarizer,
} from '../../ports/language-model.js';
import { OwnChunkRepository } from '../projects/own-chunk-repository.js';
import { createEmbedder } from './embedder.js';
import type { Composition } from './host.js';
import {
  noLanguageModel,
  noMetrics,
  noPageFetcher,
  noProjectHistory,
  noSourceWatcher,
  referenceScales,
} from './null-objects.js';
import { completeClock, completeEmbedder } from './replaceable-ports.js';
import { createStores } from './stores.js';
import { PORTS, TOKENS } from './tokens.js';

/** The adapters that every variant uses. */
export function bindAdapters(composition: Composition): ContainerModule {
  return new ContainerModule((module) => {
    bindProcess(module, composition);
    bindFiles(module, composition);
    bindStores(module, composition);
    bindModels(module, composition);
    bindSessions(module, composition);
  });
}

function bindProcess({ bind }: ContainerModuleLoadOptions, { config }: Composition): void {
  bind(TOKENS.clock).toConstantValue(systemClock);
  bind(PORTS.clock).toDynamicValue(({ get }) => completeClock(get(TOKENS.clock)));
  bind(PORTS.logger).toDynamicValue(() => createPinoLogger(config.logLevel));
  bind(PORTS.metrics).toConstantValue(noMetrics);
}

function bindFiles({ bind }: ContainerModuleLoadOptions, { config, host }: Composition): void {
  const isWatched = host.sources === 'watched';
  bind(PORTS.frontmatter).toDynamicValue(({ get }) => new YamlFrontmatterParser(get(PORTS.logger)));
  bind(PORTS.directories).toDynamicValue(() => new AllowedProjectDirectories(config.roots));
  bind(PORTS.appDirs).toDynamicValue(() => appDirectories(config.appDir));
  bind(PORTS.files).toDynamicValue(({ get }) => new FileSystemProjectFiles(get(PORTS.appDirs)));
  bind(PORTS.fileNames).toDynamicValue(({ get }) => new FileSystemFileNames(get(PORTS.appDirs)));
  bind(PORTS.projectHistory).toDynamicValue(() =>
    isWatched ? new ProjectHistoryFiles(join(config.dataDir, 'known-projects')) : noProjectHistory,
  );
  bind(PORTS.watcher).toDynamicValue(({ get }) =>
    isWatched ? new FileSystemSourceWatcher(get(PORTS.appDirs)) : noSourceWatcher,
  );
  bind(PORTS.projectFinder).toDynamicValue(({ get }) => ({
    findWithStore: (directory) => nearestStore(directory, get(PORTS.appDirs)),
  }));
}

function bindStores({ bind }: ContainerModuleLoadOptions, composition: Composition): void {
  bind(PORTS.stores).toDynamicValue(({ get }) => createStores(composition, get));
  bind(TOKENS.chunkRepository).toDynamicValue(
    ({ get }) => new OwnChunkRepository(() => get(PORTS.stores)),
  );
  bind(PORTS.databases).toDynamicValue(
    ({ get }) => new SqliteDatabaseReader(get(PORTS.embedder).dimensions),
  );
}

function bindModels({ bind }: ContainerModuleLoadOptions, composition: Composition): void {
  const { config, host, stopping } = composition;
  bind(TOKENS.embedder).toDynamicValue(({ get }) => {
    const { batches } = host;
    return createEmbedder(config, {
      clock: get(PORTS.clock),
      logger: get(PORTS.logger),
      ...(batches !== undefined && { batches }),
    });
  });
  bind(PORTS.embedder).toDynamicValue(({ get }) => completeEmbedder(get(TOKENS.embedder)));
  bind(PORTS.relevanceScales).toDynamicValue(({ get }) =>
    // Scales are stored by model name. A host's embedder is not measured, because several may have the same name.
    get(PORTS.embedder).model === config.model && config.model !== REFERENCE_MODEL
      ? new JsonRelevanceScales(config.dataDir, get(PORTS.clock))
      : referenceScales,
  );
  bind(LANGUAGE_MODEL).toDynamicValue(({ get }) =>
    createLanguageModel(composition, get(PORTS.clock)),
  );
  bind(PORTS.questionGenerator).toService(LANGUAGE_MODEL);
  bind(PORTS.queryRewriter).toService(LANGUAGE_MODEL);
  bind(PORTS.summarizer).toService(LANGUAGE_MODEL);
  bind(PORTS.lessons).toService(LANGUAGE_MODEL);
  bind(PORTS.pages).toDynamicValue(() =>
    config.fetch === 'forbidden' ? noPageFetcher : new HttpPageFetcher({ stop: stopping }),
  );
}

type LanguageModel = QuestionGenerator & QueryRewriter & Summarizer & LessonExtractor;

/** The small language model in its four roles. */
const LANGUAGE_MODEL: ServiceIdentifier<LanguageModel> = Symbol('languageModel');

function createLanguageModel({ config, stopping }: Composition, clock: Clock): LanguageModel {
  const { languageModel } = config;
  if (languageModel === undefined) return noLanguageModel;
  const chat = new ChatClient({ ...languageModel, clock, signal: stopping });
  return {
    ...questionGenerator(chat),
    ...queryRewriter(chat),
    ...summarizer(chat),
    ...lessonExtractor(chat),
  };
}

function bindSessions({ bind }: ContainerModuleLoadOptions, { config }: Composition): void {
  const { claudeDir, codexHome, dataDir } = config;
  bind(PORTS.transcripts).toDynamicValue(() => [
    new ClaudeTranscripts(expandHome(claudeDir)),
    new CodexTranscripts(expandHome(codexHome)),
  ]);
  bind(PORTS.sessionConsents).toDynamicValue(() => new JsonSessionConsents(dataDir));
  bind(PORTS.sessionLedgers).toDynamicValue(() => new JsonSessionLedgers(dataDir));
  bind(PORTS.shownPieces).toDynamicValue(() => new JsonShownPieces(dataDir));
}

/** Replaces a leading `~` with the home directory. */
function expandHome(path: string): string {
  return path.replace(/^~(?=\/|$)/, homedir());
}
