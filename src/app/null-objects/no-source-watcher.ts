import type { SourceWatcher } from '../../ports/driven/source-watcher.js';

/** Watches nothing: a project is indexed only when it is asked for. */
export const noSourceWatcher: SourceWatcher = {
  isProject: () => false,
  watch: () => ({ stop: async () => {} }),
};
