import { KnowledgeError } from '../../domain/errors.js';
import { archiveNameAt } from '../../domain/transfer/archive-names.js';
import type { RecoveryService } from '../../ports/driving/recovery-service.js';
import { checkArguments } from '../arguments.js';
import { type ExportOptions, exportStore } from '../transfer/store-export.js';
import { type ImportOptions, importStore } from '../transfer/store-import.js';
import { Doctor, type DoctorOptions } from './doctor.js';

/** What helps when something breaks: each method checks its arguments, opens what it needs and calls its use case. */
export function createRecovery(
  options: DoctorOptions & ExportOptions & ImportOptions,
): RecoveryService {
  const { projects, clock } = options;
  const doctor = new Doctor(options);
  return {
    examine: async (projectPath) => {
      checkArguments({ projectPath });
      return doctor.examine(projectPath);
    },
    repair: async (projectPath) => {
      checkArguments({ projectPath });
      return doctor.repair(projectPath);
    },
    exportStore: async (projectPath, name = archiveNameAt(clock.now())) => {
      checkArguments({ projectPath, name });
      const { project } = await projects.openForReading(projectPath);
      if (project !== undefined) return exportStore(options, project, name);
      throw new KnowledgeError('not_found', 'The project has no knowledge store to export yet.');
    },
    importStore: async (projectPath, name) => {
      checkArguments({ projectPath, name });
      return importStore(options, await projects.open(projectPath), name);
    },
  };
}
