import {
  OPEN_PROJECTS_MAX,
  PROJECT_IDLE_SECONDS,
  WORKER_MB,
  WORKERS,
} from '../../domain/limits.js';
import { wholeNumber } from '../../domain/value-rule.js';
import { breaking, toNumber } from './value-rules.js';

/** The entries of the configuration that concern open stores. */
export const STORE_FIELDS = {
  workers: {
    variable: 'KNOWLEDGE_WORKERS',
    help: 'processes in which the service works on projects; 0 does everything in one process',
    byDefault: WORKERS,
    parse: toNumber,
    problem: breaking(wholeNumber({ min: 0, max: 64 })),
  },
  workerMb: {
    variable: 'KNOWLEDGE_WORKER_MB',
    help: 'memory of a worker process in MB, beyond which it is replaced',
    byDefault: WORKER_MB,
    parse: toNumber,
    problem: breaking(wholeNumber({ min: 256, max: 1_000_000 })),
  },
  idleSeconds: {
    variable: 'KNOWLEDGE_IDLE_SECONDS',
    option: 'idleSeconds',
    help: 'seconds after which the database of a project that nobody uses is closed',
    byDefault: PROJECT_IDLE_SECONDS,
    parse: toNumber,
    problem: breaking(wholeNumber({ min: 1, max: 1_000_000 })),
  },
  openProjects: {
    variable: 'KNOWLEDGE_OPEN_PROJECTS',
    option: 'openProjects',
    help: 'databases that are open at once; beyond that, the least recently used is closed',
    byDefault: OPEN_PROJECTS_MAX,
    parse: toNumber,
    problem: breaking(wholeNumber({ min: 1, max: 10_000 })),
  },
} as const;
