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
import type { CitationService, StaleChunk } from '../../ports/driving/citation-service.js';
import { checkArguments } from '../arguments.js';
import { inTime } from '../in-time.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import { KnownFiles, type KnownFilesPorts } from './known-files.js';

/** What is told of chunks, by their ids; a chunk that cites nothing is left out. */
type CitationReports = ReadonlyMap<string, CitationReport>;

/** Looks at what chunks cite, when they are found. */
export interface CitationChecking {
  /** Takes at most 50 ms; what it does not get to has no state. Never fails. */
  reports(project: Project, chunkIds: readonly string[]): Promise<CitationReports>;
  /** Chunks as they are kept, all of them looked at, however long it takes. */
  reportsOf(project: Project, kept: readonly KeptCitations[]): Promise<CitationReports>;
}

/** Null object for variants without citations. */
export const noCitationCheck: CitationChecking = {
  reports: async () => new Map(),
  reportsOf: async () => new Map(),
};

interface CitationCheckPorts extends KnownFilesPorts {
  readonly logger: Logger;
}

/** Compares what is kept of citations with the files as they are now. */
export class CitationCheck implements CitationChecking {
  readonly #ports: CitationCheckPorts;
  readonly #files: KnownFiles;

  constructor(ports: CitationCheckPorts) {
    this.#ports = ports;
    this.#files = new KnownFiles(ports);
  }

  async reports(project: Project, chunkIds: readonly string[]): Promise<CitationReports> {
    if (chunkIds.length === 0) return new Map();
    const until = this.#ports.clock.monotonic() + CITATIONS_LOOKED_AT_MS;
    try {
      return await this.reportsOf(project, await project.store.citations.of(chunkIds), until);
    } catch (error) {
      this.#ports.logger.warn('Cited files could not be looked at; the search went on.', {
        reason: reasonOf(error),
      });
      return new Map();
    }
  }

  async reportsOf(
    { path }: Project,
    kept: readonly KeptCitations[],
    until = Number.POSITIVE_INFINITY,
  ): Promise<CitationReports> {
    const reports = new Map<string, CitationReport>();
    const look = this.#files.look(path);
    for (const { chunkId, citedAt, citations } of kept) {
      const told: ToldCitation[] = [];
      for (const citation of citations) {
        const isLate = this.#ports.clock.monotonic() > until;
        const state = isLate ? undefined : await look(citation);
        const known = state?.state === 'gone' ? await this.#renamed(path, citation, until) : state;
        told.push(toldCitation(citation, citedAt, known));
      }
      reports.set(chunkId, citationReport(told));
    }
    return reports;
  }

  /** Undefined if that is not known in time; a look that is too late goes on, for the next search. */
  async #renamed(
    project: string,
    citation: Citation,
    until: number,
  ): Promise<CitationState | undefined> {
    const { clock } = this.#ports;
    const found = this.#files
      .renamed(project, citation)
      .then(
        (renamedTo): CitationState =>
          renamedTo === undefined ? { state: 'gone' } : { state: 'renamed', renamedTo },
      );
    if (until === Number.POSITIVE_INFINITY) return found;
    return inTime(clock, until - clock.monotonic(), () => found);
  }
}

/** Lists the chunks of projects that no longer hold. */
export function createCitationService(
  projects: Projects,
  citations: CitationChecking,
): CitationService {
  return {
    staleChunks: async (projectPath) => {
      checkArguments({ projectPath });
      const project = await projects.find(projectPath);
      return project === undefined ? [] : staleIn(project, citations);
    },
  };
}

async function staleIn(
  project: Project,
  citations: CitationChecking,
): Promise<readonly StaleChunk[]> {
  const { store } = project;
  const found: StaleChunk[] = [];
  for (let after: string | undefined; ; ) {
    const kept = await store.citations.page(after, PAGE_CHUNKS);
    const reports = [...(await citations.reportsOf(project, kept))];
    const stale = new Map(reports.filter(([, report]) => report.stale));
    for (const { id, sourceFile, heading } of await store.chunks.getChunks([...stale.keys()])) {
      const named = heading === undefined ? {} : { heading };
      found.push({ id, sourceFile, ...named, citations: stale.get(id)?.citations ?? [] });
    }
    if (kept.length < PAGE_CHUNKS) return found;
    after = kept.at(-1)?.chunkId;
  }
}

const PAGE_CHUNKS = 200;
