import { KnowledgeError } from '../../domain/errors.js';
import { archiveNameAt } from '../../domain/transfer/archive-names.js';
import type { Clock } from '../../ports/driven/clock.js';
import type {
  Diagnosis,
  ExportReport,
  ImportReport,
  RecoveryService,
} from '../../ports/driving/recovery-service.js';
import { checkArguments } from '../arguments.js';
import type { Projects } from '../projects/projects.js';
import { StoreExport, type StoreExportParts } from '../transfer/store-export.js';
import { StoreImport, type StoreImportParts } from '../transfer/store-import.js';
import { Doctor, type DoctorParts } from './doctor.js';
import { StoreNotes, type StoreNotesParts } from './store-notes.js';

export interface StoreRecoveryParts {
  readonly projects: Projects;
  readonly doctor: Doctor;
  readonly exporting: StoreExport;
  readonly importing: StoreImport;
  readonly clock: Pick<Clock, 'now'>;
}

/** Checks the arguments of each method, opens what it needs and calls the use case. */
export class StoreRecovery implements RecoveryService {
  readonly #parts: StoreRecoveryParts;

  constructor(parts: StoreRecoveryParts) {
    this.#parts = parts;
  }

  async examine(projectPath: string): Promise<Diagnosis> {
    checkArguments({ projectPath });
    return this.#parts.doctor.examine(projectPath);
  }

  async repair(projectPath: string): Promise<Diagnosis> {
    checkArguments({ projectPath });
    return this.#parts.doctor.repair(projectPath);
  }

  async exportStore(projectPath: string, name = this.#nameNow()): Promise<ExportReport> {
    checkArguments({ projectPath, name });
    const { project } = await this.#parts.projects.openForReading(projectPath);
    if (project !== undefined) return this.#parts.exporting.write(project, name);
    throw new KnowledgeError('not_found', 'The project has no knowledge store to export yet.');
  }

  async importStore(projectPath: string, name: string): Promise<ImportReport> {
    checkArguments({ projectPath, name });
    return this.#parts.importing.read(await this.#parts.projects.open(projectPath), name);
  }

  #nameNow(): string {
    return archiveNameAt(this.#parts.clock.now());
  }
}

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
