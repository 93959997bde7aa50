import { projectRequest } from '../../schemas/fields.js';
import { statusResponse } from '../../schemas/stats.js';
import {
  compactRequest,
  compactResponse,
  diagnosis,
  doctorRequest,
  importCounts,
  importRequest,
  pruneRequest,
  pruneResponse,
} from '../../schemas/upkeep.js';
import { route } from './route.js';

/** Routes for pruning, compaction and background work (docs/api.md, "Extensions of the hybrid variant"). */
export const upkeepRoutes = [
  route('POST /api/knowledge/x/compact', {
    summary: 'Summarizes a memory category that has grown too long.',
    request: compactRequest,
    response: compactResponse,
    errors: ['category_not_found', 'model_unavailable'],
    handle: ({ compaction }, request) => compaction.compact(request),
  }),
  route('POST /api/knowledge/x/prune', {
    summary: 'Deletes chunks that were never retrieved and are at least 90 days old.',
    request: pruneRequest,
    response: pruneResponse,
    handle: ({ pruning }, request) => pruning.prune(request),
  }),
  route('GET /api/knowledge/x/status', {
    summary: "Returns the progress of a project's background work and the state of the model.",
    request: projectRequest,
    response: statusResponse,
    handle: ({ status }, request) => status.status(request),
  }),
];

/** Routes for diagnosis, repair and import (docs/when-it-breaks.md). */
export const recoveryRoutes = [
  route('POST /api/knowledge/x/doctor', {
    summary: 'Reports problems and missing data of a store, and repairs it.',
    request: doctorRequest,
    response: diagnosis,
    handle: ({ doctor }, request) => doctor.examine(request),
  }),
  route('POST /api/knowledge/x/import', {
    summary: "Adds the chunks, vectors, questions and counts of a database to a project's store.",
    request: importRequest,
    response: importCounts,
    errors: ['not_found', 'not_readable'],
    handle: ({ imports }, request) => imports.run(request),
  }),
];
