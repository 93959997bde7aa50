import * as z from 'zod';
import type { RecoveryService } from '../../../ports/driving/recovery-service.js';
import { archiveName, flag, projectPath } from '../../../schemas/fields.js';
import { diagnosis, exportReport, importReport } from '../../../schemas/recovery.js';
import { type Route, route } from './route.js';

/** For when something breaks, or before it does (docs/when-it-breaks.md). */
export function recoveryRoutes(recovery: RecoveryService): readonly Route[] {
  return [doctorRoute(recovery), exportRoute(recovery), importRoute(recovery)];
}

const NEW_NAME = 'Name of the file that is made; default: the time.';

function doctorRoute(recovery: RecoveryService): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/doctor',
    summary: 'Says what is wrong with a store, and repairs what is derived.',
    request: z.object({
      projectPath,
      repair: flag.describe('Also repair what can be repaired; default false.').exactOptional(),
    }),
    response: diagnosis,
    handle: ({ projectPath, repair }) =>
      repair ? recovery.repair(projectPath) : recovery.examine(projectPath),
  });
}

function exportRoute(recovery: RecoveryService): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/export',
    summary: 'Writes chunks, questions, vectors and counts as JSON lines.',
    request: z.object({ projectPath, name: archiveName.describe(NEW_NAME).exactOptional() }),
    response: exportReport,
    errors: ['conflict', 'not_found'],
    handle: ({ projectPath, name }) => recovery.exportStore(projectPath, name),
  });
}

function importRoute(recovery: RecoveryService): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/import',
    summary: 'Adds what an export holds to the store of a project.',
    request: z.object({ projectPath, name: archiveName.describe('Name of the export.') }),
    response: importReport,
    errors: ['not_found', 'not_readable'],
    handle: ({ projectPath, name }) => recovery.importStore(projectPath, name),
  });
}
