import { ContainerModule } from 'inversify';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import { DeferredEnrichment } from '../enrichment/deferred-enrichment.js';
import { PORTS, VARIANT_PARTS } from './tokens.js';

export interface CommandParts {
  readonly logger: Logger;
  /** Replaces the embedder of the variant. */
  readonly embedder: Embedder | undefined;
  /** Receives the background work, which nothing else starts. */
  readonly background: (work: DeferredEnrichment) => void;
}

/** What differs when the service runs for one command: it makes vectors only if the command says so. */
export function commandModule({ logger, embedder, background }: CommandParts): ContainerModule {
  return new ContainerModule(({ rebind, onActivation }) => {
    rebind(PORTS.logger).toConstantValue(logger);
    if (embedder !== undefined) rebind(PORTS.embedder).toConstantValue(embedder);
    onActivation(VARIANT_PARTS, (_, parts) => {
      const enrichment = new DeferredEnrichment(parts.enrichment);
      background(enrichment);
      return { ...parts, enrichment };
    });
  });
}
