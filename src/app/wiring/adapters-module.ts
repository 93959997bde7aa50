import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { HttpPageFetcher } from '../../adapters/fetch/http-page-fetcher.js';
import { AllowedProjectDirectories } from '../../adapters/files/allowed-project-directories.js';
import { appDirectories } from '../../adapters/files/app-directories.js';
import { FileSystemFileNames } from '../../adapters/files/file-lists.js';
import { FileSystemProjectFiles } from '../../adapters/files/file-system-project-files.js';
import { FileSystemSourceWatcher } from '../../adapters/files/file-system-source-watcher.js';
import { ChatClient } from '../../adapters/openai/chat-client.js';
import {
  lessonExtractor,
  questionGenerator,
  summarizer,
} from '../../adapters/openai/language-model.js';
import { SqliteDatabaseReader } from '../../adapters/sqlite/adoption/sqlite-database-reader.js';
import { createPinoLogger } from '../../adapters/system/pino-logger.js';
import { systemClock } from '../../adapters/system/system-clock.js';
import { YamlFrontmatterParser } from '../../adapters/yaml/yaml-frontmatter-parser.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Config } from '../config/config.js';
import { CallLimiter } from '../enrichment/call-limiter.js';
import { createEmbedder } from './create-embedder.js';
import { type LanguageModel, measuredModel } from './measured.js';
import {
  noLanguageModel,
  noMetrics,
  noPageFetcher,
  noReranker,
  noSourceWatcher,
} from './null-objects.js';
import { CONFIG, LIFE, PORTS, type ServiceLife, SURROUNDINGS } from './tokens.js';

/** The adapters that every variant uses over every backend. */
export const adaptersModule = new ContainerModule(({ bind }) => {
  bind(PORTS.clock).toConstantValue(systemClock);
  bind(PORTS.logger).toResolvedValue(({ logLevel }) => createPinoLogger(logLevel), [CONFIG]);
  bind(PORTS.frontmatter).toResolvedValue(
    (logger) => new YamlFrontmatterParser(logger),
    [PORTS.logger],
  );
  bind(PORTS.directories).toResolvedValue(
    ({ roots }) => new AllowedProjectDirectories(roots),
    [CONFIG],
  );
  bind(PORTS.appDirs).toResolvedValue(
    ({ appDir }, logger) => appDirectories(appDir, logger),
    [CONFIG, PORTS.logger],
  );
  bind(PORTS.files).toResolvedValue(
    (appDirs) => new FileSystemProjectFiles(appDirs),
    [PORTS.appDirs],
  );
  bind(PORTS.fileNames).toResolvedValue(
    (appDirs) => new FileSystemFileNames(appDirs),
    [PORTS.appDirs],
  );
  bind(PORTS.databases).toResolvedValue(
    ({ dimensions }) => new SqliteDatabaseReader(dimensions),
    [PORTS.embedder],
  );
  bind(PORTS.watcher).toResolvedValue(
    ({ sources }, appDirs) =>
      sources === 'watched' ? new FileSystemSourceWatcher(appDirs) : noSourceWatcher,
    [SURROUNDINGS, PORTS.appDirs],
  );
  bind(PORTS.embedder).toResolvedValue(
    (config, clock, logger) => createEmbedder(config, { clock, logger }),
    [CONFIG, PORTS.clock, PORTS.logger],
  );
  bind(PORTS.pages).toResolvedValue(
    ({ fetch }, { stopping }) =>
      fetch === 'allowed' ? new HttpPageFetcher({ stop: stopping }) : noPageFetcher,
    [CONFIG, LIFE],
  );
  bind(PORTS.reranker).toConstantValue(noReranker);
  bind(PORTS.metrics).toConstantValue(noMetrics);
  bind(LANGUAGE_MODEL).toResolvedValue(
    (config, clock, life, metrics) =>
      measuredModel(createLanguageModel(config, clock, life), { metrics, clock }),
    [CONFIG, PORTS.clock, LIFE, PORTS.metrics],
  );
  for (const role of ['questions', 'summarizer', 'lessons'] as const) {
    const token = PORTS[role] as ServiceIdentifier<LanguageModel[typeof role]>;
    bind(token).toResolvedValue((model) => model[role], [LANGUAGE_MODEL]);
  }
});

const LANGUAGE_MODEL: ServiceIdentifier<LanguageModel> = Symbol('languageModel');

function createLanguageModel(
  { languageModel }: Config,
  clock: Clock,
  { stopping }: ServiceLife,
): LanguageModel {
  if (languageModel === undefined) {
    return { questions: noLanguageModel, summarizer: noLanguageModel, lessons: noLanguageModel };
  }
  const limiter = new CallLimiter(clock);
  const background = new ChatClient({ ...languageModel, clock, admit: () => limiter.admit() });
  const awaited = new ChatClient({ ...languageModel, clock, admit: async () => limiter.record() });
  for (const stoppable of [limiter, background, awaited]) {
    stopping.addEventListener('abort', () => stoppable.stop(), { once: true });
  }
  return {
    questions: questionGenerator(background),
    summarizer: summarizer(awaited),
    lessons: lessonExtractor(awaited),
  };
}
