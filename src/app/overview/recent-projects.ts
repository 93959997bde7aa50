import { LISTED_PROJECTS_MAX } from '../../domain/limits.js';
import type { ContentStats } from '../../domain/overview/stats.js';
import { DATABASE_FILE } from '../../domain/project-layout.js';
import type {
  AppDirectories,
  ProjectDirectories,
  ProjectHistory,
  RecentProject,
} from '../../ports/project-directories.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { ProjectStores } from '../../ports/project-stores.js';
import type { ProjectHistoryList, ProjectHistoryRequest } from '../../schemas/overview.js';

interface RecentProjectsDeps {
  readonly directories: Pick<ProjectDirectories, 'resolve'>;
  readonly projectHistory: Pick<ProjectHistory, 'list'>;
  readonly appDirs: Pick<AppDirectories, 'of'>;
  readonly files: Pick<ProjectFileReader, 'statOf'>;
  readonly stores: Pick<ProjectStores, 'find'>;
}

/** Lists the projects that this user has opened. Creates no store. */
export class RecentProjects {
  readonly #deps: RecentProjectsDeps;

  constructor(deps: RecentProjectsDeps) {
    this.#deps = deps;
  }

  /** This user's projects that may be served, most recently opened first; at most 20. */
  async list({ figures }: ProjectHistoryRequest = {}): Promise<ProjectHistoryList> {
    const allowed = this.#deps.projectHistory.list().map(async ({ path, usedAt }) => {
      const real = await this.#deps.directories.resolve(path).catch(() => undefined);
      return real === undefined ? [] : [{ path: real, usedAt }];
    });
    const listed = (await Promise.all(allowed)).flat().slice(0, LISTED_PROJECTS_MAX);
    const projects = await Promise.all(listed.map((project) => this.#described(project)));
    return { projects: figures === undefined ? projects : await this.#counted(projects) };
  }

  /**
   * Adds the figures of each store. Opening a store for this does not count as use of the project, and starts no work.
   */
  async #counted(projects: readonly Known[]): Promise<Known[]> {
    const counted: Known[] = [];
    for (const project of projects) {
      const store = await this.#deps.stores.find(project.projectPath).catch(() => undefined);
      const stats = await store?.chunks.stats().catch(() => undefined);
      if (stats === undefined) counted.push(project);
      else counted.push({ ...project, figures: toFigures(stats) });
    }
    return counted;
  }

  async #described({ path, usedAt }: RecentProject): Promise<Known> {
    const { files, appDirs } = this.#deps;
    const stat = await files.statOf(path, `${appDirs.of(path)}/${DATABASE_FILE}`);
    const size = stat === undefined || 'skipped' in stat ? {} : { bytes: stat.bytes };
    return { projectPath: path, usedAt: usedAt.toISOString(), ...size };
  }
}

type Known = ProjectHistoryList['projects'][number];

function toFigures({ totalChunks: chunks, uniqueSources: sources, lastUpdated }: ContentStats) {
  return { chunks, sources, ...(lastUpdated !== undefined && { lastUpdated }) };
}
