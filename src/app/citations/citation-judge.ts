import { verdictOn } from '../../domain/citations/citation.js';
import { type CitationReport, citationReport } from '../../domain/citations/citation-report.js';
import { CITED_FILE_MAX_BYTES } from '../../domain/limits.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { ProjectStore } from '../../ports/project-stores.js';
import type { Project } from '../projects/project.js';

/** Keeps the verdicts on citations up to date, and reports them. */
export interface CitationJudging {
  /** Judges the citations of all files that have changed since this process last looked at them. */
  judge(project: Project): Promise<void>;
  /** The citations of chunks with their stored verdicts, by chunk id; a chunk without any is left out. */
  reports(project: Project, chunkIds: readonly string[]): Promise<CitationReports>;
}

type CitationReports = ReadonlyMap<string, CitationReport>;

/** Null object for variants without citations. */
export const noCitations: CitationJudging = {
  judge: async () => undefined,
  reports: async () => new Map(),
};

/** Compares cited files with what was stored of them when their citations were indexed. */
export class CitationJudge implements CitationJudging {
  readonly #files: Pick<ProjectFileReader, 'readText' | 'isStill' | 'exists'>;
  /** The version of each cited file that was judged last; undefined where there was none. */
  readonly #judged = new WeakMap<ProjectStore, Map<string, string | undefined>>();

  constructor({ files }: { readonly files: ProjectFileReader }) {
    this.#files = files;
  }

  async judge(project: Project): Promise<void> {
    const { citations } = project.store;
    const paths = await citations.citedPaths();
    if (paths.length === 0) return;
    const judged = this.#judged.get(project.store) ?? new Map<string, string | undefined>();
    this.#judged.set(project.store, judged);
    const changed: string[] = [];
    for (const path of paths) {
      if (!(await this.#isAsJudged(project, path, judged))) changed.push(path);
    }
    for (let at = 0; at < changed.length; at += FILES_AT_ONCE) {
      await this.#judgeFiles(project, changed.slice(at, at + FILES_AT_ONCE), judged);
    }
  }

  async reports({ store }: Project, chunkIds: readonly string[]): Promise<CitationReports> {
    if (chunkIds.length === 0) return new Map();
    const stored = await store.citations.of(chunkIds);
    return new Map(
      stored.map(({ chunkId, citations, citedAt }) => [
        chunkId,
        citationReport(citations, citedAt),
      ]),
    );
  }

  async #isAsJudged({ path: project }: Project, path: string, judged: JudgedVersions) {
    const version = judged.get(path);
    if (version !== undefined) return this.#files.isStill(project, path, version);
    return judged.has(path) && !(await this.#files.exists(project, path));
  }

  async #judgeFiles(project: Project, paths: readonly string[], judged: JudgedVersions) {
    const { citations } = project.store;
    const readings = new Map<string, Awaited<ReturnType<ProjectFileReader['readText']>>>();
    for (const path of paths) {
      readings.set(path, await this.#files.readText(project.path, path, CITED_FILE_MAX_BYTES));
    }
    const outdated = (await citations.citationsOf(paths)).flatMap(
      ({ state, movedTo, ...cited }) => {
        const reading = readings.get(cited.path);
        const isOther = reading !== undefined && 'skipped' in reading;
        if (isOther && reading.kind !== 'no file') return [];
        const verdict = verdictOn(cited, isOther ? undefined : reading);
        const isSame = verdict.state === state && verdict.movedTo?.from === movedTo?.from;
        return isSame ? [] : { ...cited, ...verdict };
      },
    );
    if (outdated.length > 0) await citations.judge(outdated);
    for (const [path, reading] of readings) {
      if (reading === undefined) judged.set(path, undefined);
      else if ('version' in reading && reading.isSettled) judged.set(path, reading.version);
      else judged.delete(path);
    }
  }
}

type JudgedVersions = Map<string, string | undefined>;

/** Files whose texts are in memory together. */
const FILES_AT_ONCE = 20;
