import type { Citation, CitationState } from '../../domain/citations/citation-state.js';
import {
  type CitationReport,
  citationReport,
  type ToldCitation,
  toldCitation,
} from '../../domain/citations/told-citation.js';
import { reasonOf } from '../../domain/errors.js';
import { CITATIONS_LOOKED_AT_MS } from '../../domain/limits.js';
import type { KeptCitations } from '../../ports/driven/citation-store.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Project } from '../projects/project.js';
import { CitedStates, type Look } from './cited-states.js';
import { RenamedFiles, type RenamedFilesPorts } from './renamed-files.js';

/** What is told of chunks, by their ids; a chunk that cites nothing is left out. */
export type CitationReports = ReadonlyMap<string, CitationReport>;

/** Looks at what chunks cite, when they are found. */
export interface CitationChecking {
  /** Takes at most 50 ms; what it does not get to has no state. Never fails. */
  reports(project: Project, chunkIds: readonly string[]): Promise<CitationReports>;
  /** The chunks after an id that no longer hold, all of them looked at, however long it takes. */
  stalePage(project: Project, after: string | undefined): Promise<StalePage>;
}

export interface StalePage {
  readonly reports: CitationReports;
  /** Absent after the last page. */
  readonly next?: string;
}

/** Null object for variants without citations. */
export const noCitationCheck: CitationChecking = {
  reports: async () => new Map(),
  stalePage: async () => ({ reports: new Map() }),
};

interface CitationCheckPorts extends RenamedFilesPorts {
  readonly logger: Logger;
}

/** Compares what is kept of citations with the files as they are now. */
export class CitationCheck implements CitationChecking {
  readonly #ports: CitationCheckPorts;
  readonly #states: CitedStates;
  readonly #renamed: RenamedFiles;

  constructor(ports: CitationCheckPorts) {
    this.#ports = ports;
    this.#states = new CitedStates(ports.files);
    this.#renamed = new RenamedFiles(ports);
  }

  async reports(project: Project, chunkIds: readonly string[]): Promise<CitationReports> {
    if (chunkIds.length === 0) return new Map();
    const until = this.#ports.clock.monotonic() + CITATIONS_LOOKED_AT_MS;
    try {
      const kept = await project.store.citations.of(chunkIds);
      return await this.#reportsOf(project, kept, until);
    } catch (error) {
      this.#warn(error);
      return new Map();
    }
  }

  async stalePage(project: Project, after: string | undefined): Promise<StalePage> {
    const kept = await project.store.citations.page(after, PAGE_CHUNKS);
    const reports = await this.#reportsOf(project, kept, Number.POSITIVE_INFINITY);
    const stale = [...reports].filter(([, report]) => report.stale);
    const next = kept.length < PAGE_CHUNKS ? undefined : kept.at(-1)?.chunkId;
    return { reports: new Map(stale), ...(next !== undefined && { next }) };
  }

  async #reportsOf(
    project: Project,
    kept: readonly KeptCitations[],
    until: number,
  ): Promise<CitationReports> {
    const reports = new Map<string, CitationReport>();
    const look = this.#states.look(project.path);
    for (const { chunkId, citedAt, citations } of kept) {
      const told: ToldCitation[] = [];
      for (const citation of citations) {
        const state = await this.#stateOf(citation, { project, look, until });
        told.push(toldCitation(citation, citedAt, state));
      }
      reports.set(chunkId, citationReport(told));
    }
    return reports;
  }

  async #stateOf(
    citation: Citation,
    { project, look, until }: CitationLook,
  ): Promise<CitationState | undefined> {
    if (this.#ports.clock.monotonic() > until) return undefined;
    const state = await look.stateOf(citation);
    if (state?.state !== 'gone') return state;
    const renamedTo = await this.#before(until, this.#renamed.find(project.path, citation));
    if (renamedTo === TOO_LATE) return undefined;
    return renamedTo === undefined ? state : { state: 'renamed', renamedTo };
  }

  /** What is too late goes on, for the next search. */
  async #before<T>(until: number, work: Promise<T>): Promise<T | typeof TOO_LATE> {
    if (until === Number.POSITIVE_INFINITY) return work;
    const { clock } = this.#ports;
    const enough = new AbortController();
    const late = clock.sleep(until - clock.monotonic(), enough.signal);
    const first = await Promise.race([work, late.then((): typeof TOO_LATE => TOO_LATE)]);
    enough.abort();
    return first;
  }

  #warn(error: unknown): void {
    this.#ports.logger.warn('Cited files could not be looked at; the search went on.', {
      reason: reasonOf(error),
    });
  }
}

/** What citations of one search are looked at with. */
interface CitationLook {
  readonly project: Project;
  readonly look: Look;
  /** By the monotonic clock. */
  readonly until: number;
}

const TOO_LATE = Symbol('too late');
const PAGE_CHUNKS = 200;
