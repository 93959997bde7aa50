import type { SourceSync } from '../../src/app/watch/source-sync.js';
import { DEFAULT_SETTINGS, type Settings } from '../../src/domain/settings.js';

/** Watches nothing; every project has these settings. */
export function noSync(settings: Settings = DEFAULT_SETTINGS): Pick<SourceSync, keyof SourceSync> {
  return {
    use() {},
    prepareSearch: async () => settings,
    searched: async () => undefined,
    release: async () => {},
    stop: async () => {},
  };
}
