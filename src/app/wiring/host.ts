import type { Config } from '../config/fields.js';
import type { ReplaceablePorts } from '../config/options.js';
import type { CorePorts } from '../core-ports.js';
import type { QueryEmbeddings } from '../search/query-vectors.js';

/** Options of the process that runs a service. */
export interface HostOptions {
  /** Adapters that replace the service's own. */
  readonly ports?: Partial<Omit<CorePorts, keyof ReplaceablePorts> & ReplaceablePorts>;
  /** Watches the sources of projects in use; default: projects are indexed only on request. */
  readonly sources?: 'watched';
  /** Makes vectors and questions only after `startBackgroundWork`; default: from the start. */
  readonly background?: 'later';
  /** When files are checked; default: at intervals, or before searches if vectors are made later. */
  readonly fileChecks?: 'before searches';
  /** The configuration for user notes; without it, user notes are left out. */
  readonly userNotes?: Config;
  /** The query embeddings of another service with the same model; sharing them embeds each query once. */
  readonly queryEmbeddings?: QueryEmbeddings;
  /** Returns the name of a chunk for use in sentences; default: its id. */
  readonly shownId?: (id: string) => string;
  /** Set if a caller waits for the vectors of chunks. */
  readonly batches?: 'foreground';
}

/** The parts that a service is composed from. */
export interface Composition {
  readonly config: Config;
  readonly host: HostOptions;
  /** Aborted when the service stops. Ends model calls, page fetches and waits for other processes. */
  readonly stopping: AbortSignal;
}
