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
import type { Clock } from '../../ports/driven/clock.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Project } from '../projects/project.js';
import { CitedStates } from './cited-states.js';
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
    const limit = new TimeLimit(this.#ports.clock);
    try {
      const kept = await project.store.citations.of(chunkIds);
      return await this.#reportsOf(project, kept, (work) => limit.run(work));
    } catch (error) {
      this.#warn(error);
      return new Map();
    } finally {
      limit.end();
    }
  }

  async stalePage(project: Project, after: string | undefined): Promise<StalePage> {
    const kept = await project.store.citations.page(after, PAGE_CHUNKS);
    const reports = await this.#reportsOf(project, kept, (work) => work());
    const stale = [...reports].filter(([, report]) => report.stale);
    const next = kept.length < PAGE_CHUNKS ? undefined : kept.at(-1)?.chunkId;
    return { reports: new Map(stale), ...(next !== undefined && { next }) };
  }

  async #reportsOf(
    project: Project,
    kept: readonly KeptCitations[],
    within: <T>(work: () => Promise<T>) => Promise<T | undefined>,
  ): Promise<CitationReports> {
    const reports = new Map<string, CitationReport>();
    for (const { chunkId, citedAt, citations } of kept) {
      const told: ToldCitation[] = [];
      for (const citation of citations) {
        const state = await within(() => this.#stateOf(project, citation));
        told.push(toldCitation(citation, citedAt, state));
      }
      reports.set(chunkId, citationReport(told));
    }
    return reports;
  }

  async #stateOf({ path }: Project, citation: Citation): Promise<CitationState | undefined> {
    const state = await this.#states.of(path, citation);
    if (state?.state !== 'gone') return state;
    const renamedTo = await this.#renamed.find(path, citation);
    return renamedTo === undefined ? state : { state: 'renamed', renamedTo };
  }

  #warn(error: unknown): void {
    this.#ports.logger.warn('Cited files could not be looked at; the search went on.', {
      reason: reasonOf(error),
    });
  }
}

const PAGE_CHUNKS = 200;

/** Time that several pieces of work have together. */
class TimeLimit {
  readonly #end = new AbortController();
  readonly #over: Promise<undefined>;
  #isOver = false;

  constructor(clock: Clock) {
    this.#over = clock.sleep(CITATIONS_LOOKED_AT_MS, this.#end.signal).then(() => {
      this.#isOver = true;
      return undefined;
    });
  }

  /** What work returns; undefined if it takes too long, but then it goes on, or if there is no time left. */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    return this.#isOver ? undefined : Promise.race([work(), this.#over]);
  }

  end(): void {
    this.#end.abort();
  }
}
