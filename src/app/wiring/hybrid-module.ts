import { ContainerModule } from 'inversify';
import { JsonSettingsSource } from '../../adapters/files/json-settings-source.js';
import { EndpointReranker } from '../../adapters/openai/endpoint-reranker.js';
import { CitationCheck } from '../citations/citation-check.js';
import { CitationFinder } from '../citations/citation-finder.js';
import { BackgroundEnrichment } from '../enrichment/background-enrichment.js';
import type { RetryListener } from '../enrichment/background-loop.js';
import { HybridRetriever } from '../search/hybrid-retriever.js';
import { KeywordRetriever } from '../search/keyword-retriever.js';
import { RerankingRetriever } from '../search/reranking-retriever.js';
import type { CorePorts, VariantOptions } from './create-core.js';
import { noReranker } from './null-objects.js';
import {
  CONFIG,
  CORE_PORTS,
  PORTS,
  RETRY_LISTENER,
  STOP_WAITING,
  VARIANT_PARTS,
} from './tokens.js';

/** Search by keyword and meaning, with the settings of each project. */
export const hybridModule = new ContainerModule(({ bind, rebind }) => {
  rebind(PORTS.reranker).toResolvedValue(
    ({ reranking }, clock, { signal }) =>
      reranking === undefined ? noReranker : new EndpointReranker({ ...reranking, clock, signal }),
    [CONFIG, PORTS.clock, STOP_WAITING],
  );
  bind(PORTS.settings).toResolvedValue(
    (files, appDirs, logger) => new JsonSettingsSource(files, appDirs, logger),
    [PORTS.files, PORTS.appDirs, PORTS.logger],
  );
  bind(RETRY_LISTENER).toConstantValue(() => undefined);
  bind(VARIANT_PARTS).toResolvedValue(hybridParts, [CORE_PORTS, RETRY_LISTENER]);
});

/** Ranks by keywords and by vectors, which are computed in the background. */
export function hybridParts(ports: CorePorts, onRetry: RetryListener): VariantOptions {
  const retriever = new HybridRetriever({ ...ports, keyword: KeywordRetriever.forCandidates() });
  return {
    enrichment: new BackgroundEnrichment({ ...ports, generator: ports.questions, onRetry }),
    retriever: ports.reranker.isAvailable() ? new RerankingRetriever(retriever, ports) : retriever,
    textRetriever: retriever,
    citations: { finding: new CitationFinder(ports), checking: new CitationCheck(ports) },
  };
}
