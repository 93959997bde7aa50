import { ContainerModule } from 'inversify';
import { DEFAULT_SETTINGS } from '../../domain/settings.js';
import { KeywordRetriever } from '../search/keyword-retriever.js';
import type { VariantOptions } from './create-core.js';
import { noEnrichment } from './null-objects.js';
import { PORTS, VARIANT_PARTS } from './tokens.js';

/** Search by keyword; settings are constants and cannot be changed by a project. */
export const searchOnlyModule = new ContainerModule(({ bind }) => {
  bind(PORTS.settings).toConstantValue({ read: async () => DEFAULT_SETTINGS });
  bind(VARIANT_PARTS).toConstantValue(searchOnlyParts());
});

/** Ranks by keywords; has no background work. */
export function searchOnlyParts(): VariantOptions {
  return {
    enrichment: noEnrichment,
    retriever: KeywordRetriever.forResults(),
    textRetriever: KeywordRetriever.forCandidates(),
  };
}
