import { appDirectories } from '../../src/adapters/files/app-directories.js';
import { parseFrontmatter } from '../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { CitationFinder } from '../../src/app/citations/citation-finder.js';
import { CitationJudge } from '../../src/app/citations/citation-judge.js';
import type { CorePorts } from '../../src/app/core-ports.js';
import { noRefusals } from '../../src/app/enrichment/refused-texts.js';
import { createLibrary } from '../../src/app/library/library.js';
import { createUseCases, type UseCases } from '../../src/app/service/service.js';
import type { DescribeStats } from '../../src/app/status/store-status.js';
import {
  noEmbedder,
  noLanguageModel,
  noMetrics,
  noPageFetcher,
  noProjectHistory,
  noSourceWatcher,
  referenceScales,
} from '../../src/app/wiring/null-objects.js';
import { searchOnlyVariant } from '../../src/app/wiring/variants.js';
import { listedStats } from '../../src/domain/overview/stats.js';
import { DEFAULT_SETTINGS } from '../../src/domain/settings.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { InMemoryProjectFiles } from '../fakes/in-memory-project-files.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { memoryStores } from './sqlite-stores.js';

type PortsInMemory = ReturnType<typeof portsInMemory>;

/** The library and its use cases over ports in memory. `woken` counts how often background work was requested. */
export interface CoreInMemory {
  readonly ports: PortsInMemory;
  readonly library: ReturnType<typeof createLibrary>;
  readonly core: ReturnType<typeof createLibrary> &
    Pick<UseCases, 'projects' | 'ingestion' | 'memory' | 'setup'>;
  readonly useCases: UseCases;
  readonly woken: () => number;
}

type CoreOptions = Parameters<typeof createUseCases>[2] & { readonly cites?: 'files' | 'nothing' };

export function coreInMemory(
  replaced: Partial<CorePorts> = {},
  { cites = 'nothing', ...options }: CoreOptions = {},
): CoreInMemory {
  const ports = portsInMemory();
  const parts = searchOnlyVariant();
  const seen = { woken: 0 };
  const work = {
    isRunning: false,
    isRetrying: false,
    refusals: noRefusals(),
    stop: async () => {},
    schedule: () => {
      seen.woken += 1;
    },
  };
  const enrichment = { ...parts.enrichment, workOn: () => work };
  const all = { ...ports, ...replaced };
  const citing = { citing: new CitationFinder(all), citations: new CitationJudge(all) };
  const variant = { ...parts, enrichment, describeStats, ...(cites === 'files' && citing) };
  const useCases = createUseCases(all, variant, options);
  const { projects, ingestion, memory, setup } = useCases;
  const inside = { projects, ingestion, memory, setup };
  const library = createLibrary(useCases, all.embedder);
  return {
    ports,
    library,
    useCases,
    core: { ...library, ...inside },
    woken: () => seen.woken,
  };
}

const describeStats: DescribeStats = async (stats, usesVectors) =>
  listedStats({ ...stats, enabledHybridRetrieval: await usesVectors() });

/** The ids of the chunks that a search finds, best first. */
export async function idsFound({ core }: Pick<CoreInMemory, 'core'>, query: string) {
  const { results } = await core.store.search('/project', query, { maxResults: 100 });
  return results.map(({ chunk }) => chunk.id);
}

/** Ports for a core without disk, model or real time. A test replaces the ports it is about. */
function portsInMemory() {
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
    projectFinder: { findWithStore: () => undefined },
    projectHistory: noProjectHistory,
    files,
    fileNames: { list: async () => files.paths },
    stores: memoryStores({ clock }),
    frontmatter: { parse: parseFrontmatter },
    settings: { read: async () => DEFAULT_SETTINGS },
    embedder: noEmbedder('test-model'),
    questionGenerator: noLanguageModel,
    queryRewriter: noLanguageModel,
    summarizer: noLanguageModel,
    lessons: noLanguageModel,
    pages: noPageFetcher,
    reranker: undefined,
    watcher: noSourceWatcher,
    transcripts: [],
    sessionConsents: { list: async () => [], grant: async () => {}, withdraw: async () => {} },
    sessionLedgers: {
      read: async () => ({ transcripts: {}, sessions: {}, messages: [] }),
      write: async () => {},
    },
    shownPieces: { list: async () => [], add: async () => {} },
    databases: { read: async function* () {} },
    relevanceScales: referenceScales,
    metrics: noMetrics,
  } satisfies CorePorts;
}
