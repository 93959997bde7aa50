import { KnowledgeError } from '../../domain/errors.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { Leftovers } from '../../ports/driven/leftovers.js';
import type { ProjectDirectories } from '../../ports/driven/project-directories.js';
import type { ProjectFiles } from '../../ports/driven/project-files.js';
import type { StoreFinding } from '../../ports/driven/store-maintenance.js';
import type {
  Diagnosis,
  RecoveryService,
  StoreProblem,
} from '../../ports/driving/recovery-service.js';
import { checkArguments } from '../arguments.js';
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

interface DoctorOptions extends RemarksOptions {
  readonly projects: Projects;
  readonly directories: ProjectDirectories;
  readonly appDirs: AppDirectories;
  readonly files: Pick<ProjectFiles, 'deleteFile'>;
  readonly leftovers: Leftovers;
  readonly enrichment: Pick<Enrichment, 'wake'>;
  readonly clock: Clock;
}

/** What helps when something breaks: each method checks its arguments, opens what it needs and calls its use case. */
export function createRecovery(options: DoctorOptions): RecoveryService {
  return {
    examine: (projectPath) => diagnose(options, projectPath, 'examine'),
    repair: (projectPath) => diagnose(options, projectPath, 'repair'),
  };
}

type Treatment = 'examine' | 'repair';

/** Says in sentences what is wrong with the store of a project, and repairs what is derived, if asked. */
async function diagnose(
  options: DoctorOptions,
  projectPath: string,
  treatment: Treatment,
): Promise<Diagnosis> {
  checkArguments({ projectPath });
  const { directories, leftovers, appDirs, files } = options;
  const path = await directories.resolve(projectPath);
  const before = await leftovers.find(path);
  const { project, problems } = await treated(options, { projectPath, path, treatment });
  const after = await leftovers.find(path);
  for (const { kind, path: file } of treatment === 'repair' ? after : []) {
    if (kind === 'temporary') await files.deleteFile(path, file);
  }
  const all = [
    ...setAsideProblems(before, after),
    ...problems,
    ...temporaryFiles(after, treatment === 'repair' ? 'mended' : 'mendable'),
  ];
  const isReadable = all.every(({ state }) => state === 'mended' || state === 'mendable');
  return {
    healthy: all.every(({ state }) => state === 'mended'),
    problems: all,
    notes: [
      ...folderNotes(appDirs, path),
      ...leftoverNotes(after),
      ...(isReadable ? await storeNotes(options, project) : []),
    ],
  };
}

interface Target {
  readonly projectPath: string;
  /** The same, canonical. */
  readonly path: string;
  readonly treatment: Treatment;
}

interface Treated {
  readonly project: Project | undefined;
  readonly problems: readonly StoreProblem[];
}

/**
 * A store that proves to be damaged is unavailable until the next attempt replaces it, and refills it. A
 * lock of another process was waited for long enough by the store.
 */
async function treated(options: DoctorOptions, target: Target): Promise<Treated> {
  const { clock, projects } = options;
  const deadline = clock.monotonic() + RETRY_WITHIN_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await treatedOnce(options, target);
    } catch (error) {
      if (!(error instanceof KnowledgeError) || error.code === 'internal') throw error;
      const isOver = attempt === ATTEMPTS || clock.monotonic() > deadline;
      if (error.code !== 'store_unavailable' || isOver) {
        return { project: undefined, problems: [unopened(error)] };
      }
    }
    await projects.refilled(target.path);
  }
}

async function treatedOnce(
  { projects, enrichment }: DoctorOptions,
  { projectPath, treatment }: Target,
): Promise<Treated> {
  const project = await projects.find(projectPath);
  if (project === undefined) return { project, problems: [] };
  const problems = (await project.store.maintenance[treatment]()).map(problemFrom);
  if (treatment === 'repair') enrichment.wake(project);
  return { project, problems };
}

function problemFrom({ code, sentence, repaired }: StoreFinding): StoreProblem {
  const state = repaired || code === 'left_out' ? 'mended' : 'mendable';
  return { problem: sentence, advice: '', state };
}

const ATTEMPTS = 6;
const RETRY_WITHIN_MS = 10_000;
