import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import { JsonSettingsSource } from '../../adapters/files/json-settings-source.js';
import { EndpointReranker } from '../../adapters/openai/endpoint-reranker.js';
import { LocalReranker } from '../../adapters/transformers/model/local-reranker.js';
import { findNativeRuntime } from '../../adapters/transformers/model/network.js';
import { listedStats } from '../../domain/overview/stats.js';
import { DEFAULT_SETTINGS } from '../../domain/settings.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { Reranker } from '../../ports/reranker.js';
import { CitationFinder, noCiting } from '../citations/citation-finder.js';
import { CitationJudge, noCitations } from '../citations/citation-judge.js';
import type { Variant } from '../config/config.js';
import type { Config } from '../config/fields.js';
import type { CorePorts } from '../core-ports.js';
import { BackgroundEnrichment } from '../enrichment/background-enrichment.js';
import { ExclusiveChanges } from '../leases.js';
import { hybridRetrieval } from '../search/hybrid-retrieval.js';
import { retrieveByAllWords, retrieveByText } from '../search/keyword-retrieval.js';
import { type QueryEmbeddings, QueryVectors } from '../search/query-vectors.js';
import { withReranking } from '../search/reranking.js';
import type { VariantOptions } from '../service/service.js';
import { NO_SESSIONS, SessionCollector } from '../sessions/session-collector.js';
import { SessionWriter } from '../sessions/session-writer.js';
import type { Composition } from './host.js';
import { noEnrichment } from './null-objects.js';
import { ADAPTERS, PORTS, QUERY_EMBEDDINGS, VARIANT } from './tokens.js';

/** Binds the parts in which the variants differ. A variant is a composition; no code checks its name. */
export function bindVariant(composition: Composition): ContainerModule {
  return VARIANTS[composition.config.variant](composition);
}

const VARIANTS: Readonly<Record<Variant, typeof bindVariant>> = {
  /** Searches by keyword; settings are constants that a project cannot change. */
  'search-only': () =>
    new ContainerModule(({ bind }) => {
      bind(PORTS.reranker).toConstantValue(undefined);
      bind(PORTS.settings).toConstantValue({ read: async () => DEFAULT_SETTINGS });
      bind(VARIANT).toDynamicValue(searchOnlyVariant);
    }),

  /** Searches by keyword and meaning, with each project's settings. */
  hybrid: ({ config, stopping: signal }) =>
    new ContainerModule(({ bind }) => {
      bind(PORTS.reranker).toDynamicValue(({ get }) =>
        createReranker(config, {
          clock: get(PORTS.clock),
          logger: get(PORTS.logger),
          signal,
        }),
      );
      bind(PORTS.settings).toDynamicValue(
        ({ get }) =>
          new JsonSettingsSource(get(PORTS.files), get(PORTS.appDirs), get(PORTS.logger)),
      );
      bind(VARIANT).toDynamicValue(({ get }) =>
        hybridVariant(get(ADAPTERS), get(QUERY_EMBEDDINGS)),
      );
    }),
};

/** Ranks by keywords; has no background work. */
export function searchOnlyVariant(): VariantOptions {
  return {
    enrichment: noEnrichment,
    retrieve: retrieveByAllWords,
    retrieveByText,
    citing: noCiting,
    citations: noCitations,
    describeStats: async (stats) => stats,
    sessions: { collect: async () => NO_SESSIONS },
  };
}

/** Ranks by keywords and by vectors, which are computed in the background. */
function hybridVariant(ports: CorePorts, queryEmbeddings: QueryEmbeddings): VariantOptions {
  const { reranker } = ports;
  const retrieve = hybridRetrieval(new QueryVectors({ ...ports, queryEmbeddings }));
  return {
    enrichment: new BackgroundEnrichment({ ...ports, generator: ports.questionGenerator }),
    retrieve: reranker === undefined ? retrieve : withReranking(retrieve, { ...ports, reranker }),
    retrieveByText: retrieve,
    citing: new CitationFinder(ports),
    citations: new CitationJudge(ports),
    describeStats: async (stats, usesVectors) =>
      listedStats({ ...stats, enabledHybridRetrieval: await usesVectors() }),
    sessions: new SessionCollector({
      ...ports,
      writer: new SessionWriter(ports),
      changes: new ExclusiveChanges(ports.clock, 'sessions'),
    }),
  };
}

interface RerankerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Creates the configured reranker, at an endpoint or local; undefined if none is configured. */
function createReranker(config: Config, options: RerankerOptions): Reranker | undefined {
  const { reranking, reranker: model } = config;
  if (reranking !== undefined) return new EndpointReranker({ ...reranking, ...options });
  if (model === undefined) return undefined;
  return new LocalReranker({
    model,
    hub: config.modelHost,
    downloads: config.downloads,
    modelsDirectory: join(config.dataDir, 'models'),
    nativeRuntime: config.runtime === 'wasm' ? undefined : findNativeRuntime(),
    ...options,
  });
}
