import {
  type CitationReport,
  citationReport,
  type JudgedCitation,
  verdictOn,
} from '../../domain/citations/citation.js';
import type { LineRange } from '../../domain/citations/cited-place.js';
import { LineHashes } from '../../domain/citations/line-hashes.js';
import { CITED_FILE_MAX_BYTES } from '../../domain/limits.js';
import type { FileReading, ProjectFileReader } from '../../ports/project-files.js';
import type { ProjectStore } from '../../ports/project-stores.js';
import { eventLoop } from '../../shared/in-batches.js';
import type { Project } from '../project.js';

/** Keeps the verdicts on citations up to date, and reports them. */
export interface CitationJudging {
  /** Judges the citations of every cited file that changed since this process last checked it. */
  judge(project: Project): Promise<void>;
  /**
   * Returns the citations of these chunks with their stored verdicts, by chunk id. Chunks without citations are absent.
   */
  reports(project: Project, chunkIds: readonly string[]): Promise<CitationReports>;
}

export type CitationReports = ReadonlyMap<string, CitationReport>;

export const noCitations: CitationJudging = {
  judge: async () => undefined,
  reports: async () => new Map(),
};

/** Compares cited files with the state stored when their citations were indexed. */
export class CitationJudge implements CitationJudging {
  readonly #files: Pick<ProjectFileReader, 'readText' | 'isStill'>;
  /** Version of each cited file when it was last judged; undefined if the file did not exist. */
  readonly #judged = new WeakMap<ProjectStore, Map<string, string | undefined>>();

  constructor({ files }: { readonly files: ProjectFileReader }) {
    this.#files = files;
  }

  async judge({ path: project, store }: Project): Promise<void> {
    const judged = this.#judged.get(store) ?? new Map<string, string | undefined>();
    this.#judged.set(store, judged);
    let looked = 0;
    for (const path of await store.citations.citedPaths()) {
      looked += 1;
      if (looked % FILES_PER_TURN === 0) await eventLoop();
      if (judged.has(path) && this.#files.isStill(project, path, judged.get(path))) continue;
      const reading = await this.#files.readText(project, path, CITED_FILE_MAX_BYTES);
      await judgeFile(store, path, reading);
      const isUnread = reading !== undefined && 'skipped' in reading;
      if (isUnread || reading?.isSettled === false) judged.delete(path);
      else judged.set(path, reading?.version);
    }
  }

  async reports({ store }: Project, chunkIds: readonly string[]): Promise<CitationReports> {
    if (chunkIds.length === 0) return new Map();
    const stored = await store.citations.find({ chunkIds });
    return new Map(
      stored.map(({ chunkId, citations, citedAt }) => [
        chunkId,
        citationReport(citations, citedAt),
      ]),
    );
  }
}

/** Number of files checked before yielding to the event loop. */
const FILES_PER_TURN = 100;

/**
 * Judges the citations of one file. If the file may not be read, their verdicts stay; a path that is no file is `gone`.
 */
async function judgeFile(
  { citations }: ProjectStore,
  path: string,
  reading: FileReading,
): Promise<void> {
  const isOther = reading !== undefined && 'skipped' in reading;
  if (isOther && reading.kind !== 'no file') return;
  const stored = (await citations.find({ path })).flatMap((chunk) => chunk.citations);
  const distinct = new Map(stored.map((citation) => [JSON.stringify(citation), citation]));
  const file = isOther
    ? undefined
    : reading && { hash: reading.hash, lines: new LineHashes(reading.text) };
  const outdated: JudgedCitation[] = [];
  for (const { state, movedTo, ...cited } of [...distinct.values()].toSorted(byCount)) {
    await eventLoop();
    const verdict = verdictOn(cited, file);
    const isSame = verdict.state === state && verdict.movedTo?.from === movedTo?.from;
    if (!isSame) outdated.push({ ...cited, ...verdict });
  }
  if (outdated.length > 0) await citations.judge(outdated);
}

/**
 * Groups citations with the same number of lines: {@link LineHashes} caches the places for one line count at a time.
 */
function byCount({ lines: a }: JudgedCitation, { lines: b }: JudgedCitation): number {
  return countLines(a) - countLines(b);
}

function countLines(lines: LineRange = { from: 1, to: 0 }): number {
  return lines.to - lines.from;
}
