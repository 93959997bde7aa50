import type {
  Diagnosis,
  ExportReport,
  ImportReport,
  RecoveryService,
} from '../../src/ports/driving/recovery-service.js';

/** Writes down a call and answers it. */
export interface Answering {
  answer<T>(method: string, args: readonly unknown[], answer: T): Promise<T>;
}

/** Gives the same answers to everybody, with every optional field; somebody else writes down who asked. */
export class FakeRecovery implements RecoveryService {
  readonly #calls: Answering;

  constructor(calls: Answering) {
    this.#calls = calls;
  }

  examine(...args: readonly unknown[]): Promise<Diagnosis> {
    return this.#calls.answer('examine', args, DIAGNOSIS);
  }

  repair(...args: readonly unknown[]): Promise<Diagnosis> {
    return this.#calls.answer('repair', args, DIAGNOSIS);
  }

  exportStore(...args: readonly unknown[]): Promise<ExportReport> {
    const file = '.knowledge/knowledge.db.export-monday.jsonl';
    const counts = { bytes: 900, sources: 2, chunks: 7, vectors: 7 };
    return this.#calls.answer('exportStore', args, { name: 'monday', file, ...counts });
  }

  importStore(...args: readonly unknown[]): Promise<ImportReport> {
    const counts = { sources: 2, added: 5, merged: 1, different: 1, vectors: 0 };
    return this.#calls.answer('importStore', args, { ...counts, otherModel: 'other/model' });
  }
}

const DIAGNOSIS: Diagnosis = {
  healthy: false,
  problems: [{ problem: 'Something is wrong.', advice: 'Mend it.', state: 'manual' }],
  notes: ['7 chunks have no vector yet.'],
};
