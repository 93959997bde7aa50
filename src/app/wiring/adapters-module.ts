import { homedir } from 'node:os';
import { join } from 'node:path';
import { ContainerModule, type ServiceIdentifier } from 'inversify';
import { AllowedProjectDirectories } from '../../adapters/files/allowed-project-directories.js';
import { appDirectories } from '../../adapters/files/app-directories.js';
import { FileSystemFileNames } from '../../adapters/files/file-lists.js';
import { FileSystemProjectFiles } from '../../adapters/files/file-system-project-files.js';
import { FileSystemSourceWatcher } from '../../adapters/files/file-system-source-watcher.js';
import { JsonRelevanceScales } from '../../adapters/files/json-relevance-scales.js';
import { JsonSessionConsents } from '../../adapters/files/json-session-consents.js';
import { JsonSessionLedgers } from '../../adapters/files/json-session-ledgers.js';
import { nearestStore } from '../../adapters/files/nearest-project.js';
import { ProjectHistoryFiles } from '../../adapters/files/project-history-files.js';
import { createPinoLogger } from '../../adapters/system/pino-logger.js';
import { systemClock } from '../../adapters/system/system-clock.js';
import { ClaudeTranscripts } from '../../adapters/transcripts/claude-transcripts.js';
import { CodexTranscripts } from '../../adapters/transcripts/codex-transcripts.js';
import { YamlFrontmatterParser } from '../../adapters/yaml/yaml-frontmatter-parser.js';
import { SUMMARY_TEXT_MAX_CHARACTERS } from '../../domain/limits.js';
import { REFERENCE_MODEL } from '../../domain/ranking/cosine-scale.js';
import type { Clock } from '../../ports/clock.js';
import type { Embedder } from '../../ports/embedder.js';
import type { LessonExtractor, QuestionGenerator, Summarizer } from '../../ports/language-model.js';
import type { RelevanceScales } from '../../ports/relevance-scales.js';
import { onFirstCall } from '../../shared/on-first-call.js';
import type { Config } from '../config/fields.js';
import { measuredExtractor, measuredGenerator, measuredSummarizer } from './measured.js';
import {
  noLanguageModel,
  noMetrics,
  noPageFetcher,
  noProjectHistory,
  noSourceWatcher,
  referenceScales,
} from './null-objects.js';
import { completeClock, completeEmbedder } from './replaceable-ports.js';
import { CONFIG, HOST, PORTS, STOPPING, TOKENS } from './tokens.js';

/** The adapters that every variant uses over every backend. */
export const adaptersModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.clock).toConstantValue(systemClock);
  bind(PORTS.clock).toResolvedValue(completeClock, [TOKENS.clock]);
  bind(PORTS.logger).toResolvedValue(({ logLevel }) => createPinoLogger(logLevel), [CONFIG]);
  bind(PORTS.frontmatter).toResolvedValue(
    (logger) => new YamlFrontmatterParser(logger),
    [PORTS.logger],
  );
  bind(PORTS.directories).toResolvedValue(
    ({ roots }) => new AllowedProjectDirectories(roots),
    [CONFIG],
  );
  bind(PORTS.appDirs).toResolvedValue(({ appDir }) => appDirectories(appDir), [CONFIG]);
  bind(PORTS.projectHistory).toResolvedValue(
    ({ sources }, { dataDir }) =>
      sources === 'watched'
        ? new ProjectHistoryFiles(join(dataDir, 'known-projects'))
        : noProjectHistory,
    [HOST, CONFIG],
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
    ({ dimensions }) => ({
      async *read(...request) {
        const { SqliteDatabaseReader } = await import(
          '../../adapters/sqlite/adoption/sqlite-database-reader.js'
        );
        yield* new SqliteDatabaseReader(dimensions).read(...request);
      },
    }),
    [PORTS.embedder],
  );
  bind(PORTS.watcher).toResolvedValue(
    ({ sources }, appDirs) =>
      sources === 'watched' ? new FileSystemSourceWatcher(appDirs) : noSourceWatcher,
    [HOST, PORTS.appDirs],
  );
  bind(PORTS.projectFinder).toResolvedValue(
    (appDirs) => ({ findWithStore: (directory) => nearestStore(directory, appDirs) }),
    [PORTS.appDirs],
  );
  bind(PORTS.transcripts).toResolvedValue(
    ({ claudeDir, codexHome }) => [
      new ClaudeTranscripts(expandHome(claudeDir)),
      new CodexTranscripts(expandHome(codexHome)),
    ],
    [CONFIG],
  );
  bind(PORTS.sessionConsents).toResolvedValue(
    ({ dataDir }) => new JsonSessionConsents(dataDir),
    [CONFIG],
  );
  bind(PORTS.sessionLedgers).toResolvedValue(
    ({ dataDir }) => new JsonSessionLedgers(dataDir),
    [CONFIG],
  );
  bind(PORTS.embedder).toResolvedValue(completeEmbedder, [TOKENS.embedder]);
  bind(PORTS.relevanceScales).toResolvedValue(scalesFor, [CONFIG, PORTS.embedder, PORTS.clock]);
  bind(PORTS.pages).toResolvedValue(
    ({ fetch }, { signal: stop }) => {
      if (fetch === 'forbidden') return noPageFetcher;
      return onFirstCall(['fetch'], async () => {
        const { HttpPageFetcher } = await import('../../adapters/fetch/http-page-fetcher.js');
        return new HttpPageFetcher({ stop });
      });
    },
    [CONFIG, STOPPING],
  );
  bind(PORTS.reranker).toConstantValue(undefined);
  bind(PORTS.metrics).toConstantValue(noMetrics);
  bind(LANGUAGE_MODEL).toResolvedValue(createLanguageModel, [CONFIG, PORTS.clock, STOPPING]);
  bind(TOKENS.questionGenerator).toService(LANGUAGE_MODEL);
  bind(TOKENS.summarizer).toService(LANGUAGE_MODEL);
  const measuring = [PORTS.metrics, PORTS.clock] as const;
  bind(PORTS.questionGenerator).toResolvedValue(measuredGenerator, [
    TOKENS.questionGenerator,
    ...measuring,
  ]);
  bind(PORTS.summarizer).toResolvedValue(measuredSummarizer, [TOKENS.summarizer, ...measuring]);
  bind(PORTS.lessons).toResolvedValue(measuredExtractor, [LANGUAGE_MODEL, ...measuring]);
});

/** A path that begins with `~/` is in the home directory. */
function expandHome(path: string): string {
  return path.replace(/^~(?=\/|$)/, homedir());
}

type LanguageModel = QuestionGenerator & Summarizer & LessonExtractor;

const LANGUAGE_MODEL: ServiceIdentifier<LanguageModel> = Symbol('languageModel');

/** The small language model in its three roles. */
function createLanguageModel(
  { languageModel }: Config,
  clock: Clock,
  { signal }: AbortController,
): LanguageModel {
  if (languageModel === undefined) return noLanguageModel;
  const calls = onFirstCall(['generateQuestions', 'summarize', 'extractLessons'], async () => {
    const [{ ChatClient }, { questionGenerator, summarizer, lessonExtractor }] = await Promise.all([
      import('../../adapters/openai/chat-client.js'),
      import('../../adapters/openai/language-model.js'),
    ]);
    const chat = new ChatClient({ ...languageModel, clock, signal });
    return { ...questionGenerator(chat), ...summarizer(chat), ...lessonExtractor(chat) };
  });
  return { isAvailable: () => true, maxCharacters: SUMMARY_TEXT_MAX_CHARACTERS, ...calls };
}

/** An embedder of the host is not measured: several may have the same name. */
function scalesFor(
  { dataDir, model }: Config,
  embedder: Pick<Embedder, 'model'>,
  clock: Clock,
): RelevanceScales {
  const isMeasured = embedder.model === model && model !== REFERENCE_MODEL;
  return isMeasured ? new JsonRelevanceScales(dataDir, clock) : referenceScales;
}
