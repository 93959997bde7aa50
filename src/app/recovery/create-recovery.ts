import type { RecoveryService } from '../../ports/driving/recovery-service.js';
import { StoreExport, type StoreExportParts } from '../transfer/store-export.js';
import { StoreImport, type StoreImportParts } from '../transfer/store-import.js';
import { Doctor, type DoctorParts } from './doctor.js';
import { StoreNotes, type StoreNotesParts } from './store-notes.js';
import { StoreRecovery, type StoreRecoveryParts } from './store-recovery.js';

type RecoveryParts = StoreExportParts &
  StoreImportParts &
  StoreNotesParts &
  Omit<DoctorParts, 'notes'> &
  Omit<StoreRecoveryParts, 'doctor' | 'exporting' | 'importing'>;

/** Composes everything that helps when something breaks. */
export function createRecovery(parts: RecoveryParts): RecoveryService {
  return new StoreRecovery({
    ...parts,
    doctor: new Doctor({ ...parts, notes: new StoreNotes(parts) }),
    exporting: new StoreExport(parts),
    importing: new StoreImport(parts),
  });
}
