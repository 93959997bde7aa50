import { appDirectories } from '../../src/adapters/files/app-directories.js';
import type { CorePorts } from '../../src/app/core-ports.js';
import {
  noEmbedder,
  noLanguageModel,
  noMetrics,
  noPageFetcher,
  noProjectHistory,
  noSourceWatcher,
  referenceScales,
} from '../../src/app/wiring/null-objects.js';
import { DEFAULT_SETTINGS } from '../../src/domain/settings.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { InMemoryProjectFiles } from '../fakes/in-memory-project-files.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { memoryStores } from './memory-stores.js';

/** Ports for a core that needs no disk, no model and no time; a test replaces what it is about. */
export function portsInMemory() {
  const [clock, logger] = [new FixedClock(), new SilentLogger()];
  const files = new InMemoryProjectFiles();
  return {
    clock,
    logger,
    appDirs: appDirectories('.knowledge'),
    directories: {
      resolve: async (path: string) => path,
      resolveFile: async (_: string, path: string) => path,
    },
    projectHistory: noProjectHistory,
    files,
    fileNames: { list: async () => files.paths },
    stores: memoryStores({ clock }),
    frontmatter: { parse: () => undefined },
    settings: { read: async () => DEFAULT_SETTINGS },
    embedder: noEmbedder('test-model'),
    questionGenerator: noLanguageModel,
    summarizer: noLanguageModel,
    lessons: noLanguageModel,
    pages: noPageFetcher,
    reranker: undefined,
    watcher: noSourceWatcher,
    databases: { read: async function* () {} },
    relevanceScales: referenceScales,
    metrics: noMetrics,
  } satisfies CorePorts;
}
