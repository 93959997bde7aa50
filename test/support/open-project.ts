import { appDirectories } from '../../src/adapters/files/app-directories.js';
import { noCiting } from '../../src/app/citations/citation-finder.js';
import { Ingestion } from '../../src/app/ingestion/ingestion.js';
import { SourceReader } from '../../src/app/ingestion/source-reader.js';
import type { Project } from '../../src/app/project.js';
import { OpenProject, type OpenProjectDeps } from '../../src/app/projects/open-project.js';
import { noSourceWatcher } from '../../src/app/wiring/null-objects.js';
import { searchOnlyVariant } from '../../src/app/wiring/variants.js';
import { DEFAULT_SETTINGS } from '../../src/domain/settings.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { InMemoryProjectFiles } from '../fakes/in-memory-project-files.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { memoryStores } from './sqlite-stores.js';

type Replaced = Partial<OpenProjectDeps> & { readonly files?: InMemoryProjectFiles };

/** An open project whose files are in memory and are not watched. */
export function openProject({ path, store }: Project, replaced: Replaced = {}): OpenProject {
  const deps = { ...projectDeps(replaced), ...replaced };
  return new OpenProject({ path, store, mayEnrich: () => true, handOver: () => {} }, deps);
}

function projectDeps({
  clock = new FixedClock(),
  logger = new SilentLogger(),
  settings = { read: async () => DEFAULT_SETTINGS },
  files = new InMemoryProjectFiles(),
}: Replaced): OpenProjectDeps {
  const variant = searchOnlyVariant();
  const shared = { files, appDirs: appDirectories('.knowledge'), clock, logger };
  const frontmatter = { parse: () => undefined };
  const reader = new SourceReader({ ...shared, frontmatter, citing: noCiting });
  return {
    ...variant,
    clock,
    logger,
    settings,
    ingestion: new Ingestion({ ...shared, ...variant, reader, settings }),
    watcher: noSourceWatcher,
    stores: memoryStores({ clock }),
    quietSessions: { collect: async () => {} },
    fileChecks: 'at intervals',
  };
}
