import { KnowledgeError } from '../../domain/errors.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Leftover, Leftovers } from '../../ports/driven/leftovers.js';
import type { ProjectDirectories } from '../../ports/driven/project-directories.js';
import type { ProjectFiles } from '../../ports/driven/project-files.js';
import type { StoreProblem } from '../../ports/driven/store-care.js';
import type { Diagnosis } from '../../ports/driving/recovery-service.js';
import type { Enrichment } from '../enrichment/enrichment.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import {
  folderNotes,
  leftoverNotes,
  type RemarksOptions,
  setAsideProblems,
  storeNotes,
  temporaryFiles,
  unopened,
} from './doctor-remarks.js';

export interface DoctorOptions extends RemarksOptions {
  readonly projects: Projects;
  readonly directories: ProjectDirectories;
  readonly appDirs: AppDirectories;
  readonly files: Pick<ProjectFiles, 'deleteFile'>;
  readonly leftovers: Leftovers;
  readonly enrichment: Pick<Enrichment, 'wake'>;
  readonly clock: Clock;
}

/** Says in sentences what is wrong with the store of a project, and repairs what is derived. */
export class Doctor {
  readonly #options: DoctorOptions;

  constructor(options: DoctorOptions) {
    this.#options = options;
  }

  examine(projectPath: string): Promise<Diagnosis> {
    return this.#diagnose(projectPath, {
      store: ({ store }) => store.care.examine(),
      leftovers: async (found) => temporaryFiles(found, 'mendable'),
    });
  }

  repair(projectPath: string): Promise<Diagnosis> {
    return this.#diagnose(projectPath, {
      store: async (project) => {
        const problems = await project.store.care.repair();
        this.#options.enrichment.wake(project);
        return problems;
      },
      leftovers: async (found, path) => {
        for (const { kind, path: file } of found) {
          if (kind === 'temporary') await this.#options.files.deleteFile(path, file);
        }
        return temporaryFiles(found, 'mended');
      },
    });
  }

  async #diagnose(projectPath: string, treatment: Treatment): Promise<Diagnosis> {
    const { directories, leftovers, appDirs } = this.#options;
    const path = await directories.resolve(projectPath);
    const before = await leftovers.find(path);
    const { project, problems } = await this.#treated(projectPath, path, treatment);
    const after = await leftovers.find(path);
    const all = [
      ...setAsideProblems(before, after),
      ...problems,
      ...(await treatment.leftovers(after, path)),
    ];
    const isReadable = all.every(({ state }) => state === 'mended' || state === 'mendable');
    return {
      healthy: all.every(({ state }) => state === 'mended'),
      problems: all,
      notes: [
        ...folderNotes(appDirs, path),
        ...leftoverNotes(after),
        ...(isReadable ? await storeNotes(this.#options, project) : []),
      ],
    };
  }

  async #treated(projectPath: string, path: string, { store: treat }: Treatment): Promise<Treated> {
    try {
      return await this.#patiently(path, async () => {
        const { project } = await this.#options.projects.openForReading(projectPath);
        return { project, problems: project === undefined ? [] : await treat(project) };
      });
    } catch (error) {
      if (!(error instanceof KnowledgeError) || error.code === 'internal') throw error;
      return { project: undefined, problems: [unopened(error)] };
    }
  }

  /**
   * A store that proves to be damaged is unavailable until the next attempt replaces it, and refills it. A
   * lock of another process was waited for long enough by the store.
   */
  async #patiently<T>(path: string, work: () => Promise<T>): Promise<T> {
    const { clock, projects } = this.#options;
    const deadline = clock.monotonic() + PATIENCE_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const isTemporary = error instanceof KnowledgeError && error.code === 'store_unavailable';
        const isOver = attempt === ATTEMPTS || clock.monotonic() > deadline;
        if (!isTemporary || isOver) throw error;
      }
      await projects.refilled(path);
    }
  }
}

interface Treatment {
  readonly store: (project: Project) => Promise<readonly StoreProblem[]>;
  readonly leftovers: (
    found: readonly Leftover[],
    path: string,
  ) => Promise<readonly StoreProblem[]>;
}

interface Treated {
  readonly project: Project | undefined;
  readonly problems: readonly StoreProblem[];
}

const ATTEMPTS = 6;
const PATIENCE_MS = 10_000;
