import { onFirstCall } from '../shared/on-first-call.js';
import type { FeatureCompletion } from './lessons/feature-completion.js';
import type { Overview } from './overview/overview.js';
import type { ProjectSetup } from './projects/project-setup.js';
import type { Doctor } from './recovery/doctor.js';
import type { DatabaseImport } from './recovery/import-database.js';
import type { Digests } from './saved/digests.js';
import type { Pages } from './saved/pages.js';
import type { ProjectsSearch } from './search/search-projects.js';
import type { Compaction } from './upkeep/compaction.js';
import type { Pruning } from './upkeep/pruning.js';

/** The use cases that most processes never run; the first call loads one. */
export function rareUseCases(deps: KnowledgeDeps & UpkeepDeps) {
  const upkeep = upkeepUseCases(deps);
  return {
    ...upkeep,
    completion: onFirstCall(['complete'], async () => {
      const { FeatureCompletion } = await import('./lessons/feature-completion.js');
      return new FeatureCompletion({ ...deps, compaction: upkeep.compaction });
    }),
    pages: onFirstCall(['save'], async () => new (await import('./saved/pages.js')).Pages(deps)),
    digests: onFirstCall(
      ['make'],
      async () => new (await import('./saved/digests.js')).Digests(deps),
    ),
    projectsSearch: onFirstCall(
      ['search'],
      async () => new (await import('./search/search-projects.js')).ProjectsSearch(deps),
    ),
    overview: onFirstCall(
      ['list'],
      async () => new (await import('./overview/overview.js')).Overview(deps),
    ),
    setup: onFirstCall(
      ['initialize', 'writeSettings', 'writeFirstSettings'],
      async () => new (await import('./projects/project-setup.js')).ProjectSetup(deps),
    ),
  };
}

function upkeepUseCases(deps: UpkeepDeps) {
  return {
    compaction: onFirstCall(
      ['compact', 'compactCategory'],
      async () => new (await import('./upkeep/compaction.js')).Compaction(deps),
    ),
    pruning: onFirstCall(
      ['prune'],
      async () => new (await import('./upkeep/pruning.js')).Pruning(deps),
    ),
    doctor: onFirstCall(
      ['examine'],
      async () => new (await import('./recovery/doctor.js')).Doctor(deps),
    ),
    imports: onFirstCall(
      ['run'],
      async () => new (await import('./recovery/import-database.js')).DatabaseImport(deps),
    ),
  };
}

type KnowledgeDeps = Omit<DepsOf<typeof FeatureCompletion>, 'compaction'> &
  DepsOf<typeof Pages> &
  DepsOf<typeof Digests> &
  DepsOf<typeof ProjectsSearch> &
  DepsOf<typeof Overview> &
  DepsOf<typeof ProjectSetup>;

type UpkeepDeps = DepsOf<typeof Compaction> &
  DepsOf<typeof Pruning> &
  DepsOf<typeof Doctor> &
  DepsOf<typeof DatabaseImport>;

type DepsOf<Class extends abstract new (deps: never) => unknown> = ConstructorParameters<Class>[0];
