import { ContainerModule } from 'inversify';
import { AllowedProjectDirectories } from '../../adapters/files/allowed-project-directories.js';
import { FileSystemProjectFiles } from '../../adapters/files/file-system-project-files.js';
import { SqliteProjectStores } from '../../adapters/sqlite/database/sqlite-project-stores.js';
import { createPinoLogger } from '../../adapters/system/pino-logger.js';
import { systemClock } from '../../adapters/system/system-clock.js';
import { YamlFrontmatterParser } from '../../adapters/yaml/yaml-frontmatter-parser.js';
import { createLanguageModel } from './language-model.js';
import {
  CLOCK,
  CONFIG,
  FRONTMATTER_PARSER,
  LANGUAGE_MODEL,
  LESSON_EXTRACTOR,
  LOGGER,
  PROJECT_DIRECTORIES,
  PROJECT_FILES,
  PROJECT_STORES,
  QUESTION_GENERATOR,
  SUMMARIZER,
} from './tokens.js';

/** The adapters that both variants use. */
export const adaptersModule = new ContainerModule(({ bind }) => {
  bind(CLOCK).toConstantValue(systemClock);
  bind(LOGGER).toResolvedValue(({ logLevel }) => createPinoLogger(logLevel), [CONFIG]);
  bind(FRONTMATTER_PARSER).toResolvedValue((logger) => new YamlFrontmatterParser(logger), [LOGGER]);
  bind(PROJECT_DIRECTORIES).toResolvedValue(
    ({ roots }) => new AllowedProjectDirectories(roots),
    [CONFIG],
  );
  bind(PROJECT_FILES).toResolvedValue(({ appDir }) => new FileSystemProjectFiles(appDir), [CONFIG]);
  bind(PROJECT_STORES).toResolvedValue(
    ({ appDir, model }, clock, logger) => new SqliteProjectStores({ appDir, model, clock, logger }),
    [CONFIG, CLOCK, LOGGER],
  );
  bind(LANGUAGE_MODEL).toResolvedValue(createLanguageModel, [CONFIG, CLOCK]);
  bind(QUESTION_GENERATOR).toResolvedValue(({ questions }) => questions, [LANGUAGE_MODEL]);
  bind(SUMMARIZER).toResolvedValue(({ summaries }) => summaries, [LANGUAGE_MODEL]);
  bind(LESSON_EXTRACTOR).toResolvedValue(({ lessons }) => lessons, [LANGUAGE_MODEL]);
});
