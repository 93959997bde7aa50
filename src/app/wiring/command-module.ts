import { ContainerModule } from 'inversify';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Logger } from '../../ports/driven/logger.js';
import { DeferredEnrichment } from '../enrichment/deferred-enrichment.js';
import { PORTS, VARIANT_PARTS } from './tokens.js';

export interface CommandOptions {
  readonly logger: Logger;
  /** Replaces the embedder of the variant. */
  readonly embedder: Embedder | undefined;
  /** Receives the background work, which nothing else starts. */
  readonly background: (work: DeferredEnrichment) => void;
}

/** What differs when the service runs for one command: it makes vectors only if the command says so. */
export function commandModule(parts: CommandOptions): ContainerModule {
  return new ContainerModule(({ rebind, onActivation }) => {
    const { logger, embedder, background } = parts;
    rebind(PORTS.logger).toConstantValue(logger);
    if (embedder !== undefined) rebind(PORTS.embedder).toConstantValue(embedder);
    onActivation(VARIANT_PARTS, (_, variant) => {
      const enrichment = new DeferredEnrichment(variant.enrichment);
      background(enrichment);
      return { ...variant, enrichment };
    });
  });
}
