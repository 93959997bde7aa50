import type { RecoveryService } from '../../ports/driving/recovery-service.js';
import { checkArguments } from '../arguments.js';
import { type DoctorOptions, diagnose } from './doctor.js';
import { type ImportOptions, importDatabase } from './import-database.js';

/** What helps when something breaks: each method checks its arguments and calls its use case. */
export function createRecovery(options: DoctorOptions & ImportOptions): RecoveryService {
  const diagnosis = (treatment: 'examine' | 'repair') => async (projectPath: string) => {
    checkArguments({ projectPath });
    return diagnose(options, projectPath, treatment);
  };
  return {
    examine: diagnosis('examine'),
    repair: diagnosis('repair'),
    importDatabase: async (projectPath, databasePath) => {
      checkArguments({ projectPath, databasePath });
      return importDatabase(options, projectPath, databasePath);
    },
  };
}
