import {
  OPEN_PROJECTS_MAX,
  PROJECT_IDLE_SECONDS,
  WORKER_MB,
  WORKERS,
} from '../../domain/limits.js';
import { isWholeNumber, toNumber, unless } from './value-rules.js';

/** The entries of the configuration that concern open stores. */
export const STORE_FIELDS = {
  workers: {
    variable: 'KNOWLEDGE_WORKERS',
    help: 'processes in which the service works on projects; 0 does everything in one process',
    byDefault: WORKERS,
    parse: toNumber,
    problem: unless(isWholeNumber(0, 64), 'must be a whole number from 0 to 64'),
  },
  workerMb: {
    variable: 'KNOWLEDGE_WORKER_MB',
    help: 'memory of a worker process in MB, beyond which it is replaced',
    byDefault: WORKER_MB,
    parse: toNumber,
    problem: unless(isWholeNumber(256, 1_000_000), 'must be a whole number from 256 to 1000000'),
  },
  idleSeconds: {
    variable: 'KNOWLEDGE_IDLE_SECONDS',
    option: 'idleSeconds',
    help: 'seconds after which the database of a project that nobody uses is closed',
    byDefault: PROJECT_IDLE_SECONDS,
    parse: toNumber,
    problem: unless(isWholeNumber(1, 1_000_000), 'must be a whole number from 1 to 1000000'),
  },
  openProjects: {
    variable: 'KNOWLEDGE_OPEN_PROJECTS',
    option: 'openProjects',
    help: 'databases that are open at once; beyond that, the least recently used is closed',
    byDefault: OPEN_PROJECTS_MAX,
    parse: toNumber,
    problem: unless(isWholeNumber(1, 10_000), 'must be a whole number from 1 to 10000'),
  },
} as const;
