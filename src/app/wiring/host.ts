import type { Config } from '../config/fields.js';
import type { ReplaceablePorts } from '../config/options.js';
import type { CorePorts } from '../core-ports.js';

/** Options of the process that runs a service, and how it shares work with others. */
export interface HostOptions {
  /** Replace the adapters of the service. */
  readonly ports?: Partial<Omit<CorePorts, keyof ReplaceablePorts> & ReplaceablePorts>;
  /** Default: a project is indexed only when it is asked for. */
  readonly sources?: 'watched';
  /** Vectors and questions are made once `startBackgroundWork` is called, by default from the start. */
  readonly background?: 'later';
  /** When files are checked; default: at intervals, or before searches if vectors are made later. */
  readonly fileChecks?: 'before searches';
  /** The configuration by which the notes of the user are covered; default: they are not. */
  readonly userNotes?: Config;
  /** Whether a caller waits for vectors; default: no. */
  readonly batches?: 'foreground';
}

/** The parts that a service is composed from. */
export interface Composition {
  readonly config: Config;
  readonly host: HostOptions;
  /** Aborted when nothing should wait for other processes any more. */
  readonly stopping: AbortSignal;
}
