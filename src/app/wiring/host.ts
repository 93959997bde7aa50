import type { Config } from '../config/fields.js';
import type { ReplaceablePorts } from '../config/options.js';
import type { CorePorts } from '../core-ports.js';
import type { QueryEmbeddings } from '../search/query-vectors.js';

/** Options of the process that runs a service. */
export interface HostOptions {
  /** Replace the adapters of the service. */
  readonly ports?: Partial<Omit<CorePorts, keyof ReplaceablePorts> & ReplaceablePorts>;
  /** Default: projects are indexed only on request. */
  readonly sources?: 'watched';
  /** Makes vectors and questions only after `startBackgroundWork`; default: from the start. */
  readonly background?: 'later';
  /** When files are checked; default: at intervals, or before searches if vectors are made later. */
  readonly fileChecks?: 'before searches';
  /** The configuration for user notes; without it, they are not covered. */
  readonly userNotes?: Config;
  /** The query embeddings of another service with the same model; sharing them embeds each query once. */
  readonly queryEmbeddings?: QueryEmbeddings;
  /** The name of a chunk in sentences for callers; default: its id. */
  readonly shownId?: (id: string) => string;
  /** Whether a caller waits for vectors; default: no. */
  readonly batches?: 'foreground';
}

/** The parts that a service is composed from. */
export interface Composition {
  readonly config: Config;
  readonly host: HostOptions;
  /** Aborted when nothing should keep waiting for other processes. */
  readonly stopping: AbortSignal;
}
