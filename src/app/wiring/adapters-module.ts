import { ContainerModule } from 'inversify';
import { HttpPageFetcher } from '../../adapters/fetch/http-page-fetcher.js';
import { AllowedProjectDirectories } from '../../adapters/files/allowed-project-directories.js';
import { appDirectories } from '../../adapters/files/app-directories.js';
import { FileSystemFileNames } from '../../adapters/files/file-lists.js';
import { FileSystemExportFiles } from '../../adapters/files/file-system-export-files.js';
import { FileSystemLeftovers } from '../../adapters/files/file-system-leftovers.js';
import { FileSystemProjectFiles } from '../../adapters/files/file-system-project-files.js';
import { createPinoLogger } from '../../adapters/system/pino-logger.js';
import { systemClock } from '../../adapters/system/system-clock.js';
import { YamlFrontmatterParser } from '../../adapters/yaml/yaml-frontmatter-parser.js';
import { createEmbedder } from './create-embedder.js';
import { createLanguageModel } from './language-model.js';
import { noPageFetcher, noReranker, noSourceWatcher } from './null-objects.js';
import { CONFIG, LANGUAGE_MODEL, PORTS, STOP_WAITING } from './tokens.js';

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
  bind(PORTS.embedder).toResolvedValue(
    (config, clock, logger) => createEmbedder(config, { clock, logger }),
    [CONFIG, PORTS.clock, PORTS.logger],
  );
  bind(PORTS.exports).toConstantValue(new FileSystemExportFiles());
  bind(PORTS.leftovers).toResolvedValue(
    (appDirs, clock) => new FileSystemLeftovers(appDirs, clock),
    [PORTS.appDirs, PORTS.clock],
  );
  bind(PORTS.watcher).toConstantValue(noSourceWatcher);
  bind(LANGUAGE_MODEL).toResolvedValue(createLanguageModel, [CONFIG, PORTS.clock]);
  bind(PORTS.questions).toResolvedValue(({ questions }) => questions, [LANGUAGE_MODEL]);
  bind(PORTS.summarizer).toResolvedValue(({ summarizer }) => summarizer, [LANGUAGE_MODEL]);
  bind(PORTS.pages).toResolvedValue(
    ({ fetch }, { signal }) =>
      fetch === 'allowed' ? new HttpPageFetcher({ stop: signal }) : noPageFetcher,
    [CONFIG, STOP_WAITING],
  );
  bind(PORTS.reranker).toConstantValue(noReranker);
  bind(PORTS.lessons).toResolvedValue(({ lessons }) => lessons, [LANGUAGE_MODEL]);
});
