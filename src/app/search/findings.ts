import type { Budgeted } from '../../domain/ranking/budget.js';
import { isDoubtful } from '../../domain/ranking/relevance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { FirstIndexing, FoundChunks, SearchResult } from '../../domain/ranking/search.js';
import { findState, type SourceState } from '../../domain/saved/note-record.js';
import type { CitationJudging, CitationReports } from '../citations/citation-judge.js';
import type { Project } from '../project.js';
import type { Arranged } from './arrangement.js';
import type { RetrievalRequest, Retrieved } from './retrieval.js';

/** Everything from which the answer to a search is made. */
export interface SearchFindings {
  readonly project: Project;
  /** As given by the caller; may lead through links. */
  readonly projectPath: string;
  readonly request: RetrievalRequest;
  readonly retrieved: Retrieved;
  /** All chunks that may be shown, in final order. */
  readonly arranged: Arranged;
  /** How many chunks the setting `staleChunks` hides. */
  readonly hiddenStale: number;
  readonly budgeted: Budgeted<ScoredChunk>;
  readonly indexing: FirstIndexing | 'to_come' | undefined;
  /** The citations of the chunks found; undefined if the search did not need them. */
  readonly reports: CitationReports | undefined;
}

/** The chunks found by a search, without an explanation. */
export function foundChunks({ projectPath, retrieved, budgeted }: SearchFindings): FoundChunks {
  return {
    results: budgeted.kept.map(({ chunk, score, relevance }) => ({
      chunk: { ...chunk, projectPath },
      score,
      ...(relevance !== undefined && { relevance }),
    })),
    retrievalMode: retrieved.mode,
    totalTokens: budgeted.usedTokens,
  };
}

/** Whether probably none of the results is an answer. */
export function isWeak({ arranged }: SearchFindings): boolean {
  return isDoubtful(arranged.ranked);
}

export interface DescriptionDeps {
  readonly citations: Pick<CitationJudging, 'reports'>;
  readonly sourceStates: SourceStateFinder;
}

interface SourceStateFinder {
  find(project: Project, sourceFiles: readonly string[]): Promise<ReadonlyMap<string, SourceState>>;
}

/** Adds citation states to results and, in the profile `reading`, the versions of notes and the agents of sessions. */
export async function describeResults(
  { citations, sourceStates }: DescriptionDeps,
  { project, request, reports: known }: SearchFindings,
  results: readonly SearchResult[],
): Promise<readonly SearchResult[]> {
  const ids = results.map(({ chunk }) => chunk.id);
  const reports = known ?? (await citations.reports(project, ids));
  const described = request.profile === 'reading' ? results : [];
  const states = await sourceStates.find(
    project,
    described.map(({ chunk }) => chunk.sourceFile),
  );
  return results.map((one) => ({
    ...one,
    ...reports.get(one.chunk.id),
    ...findState(one.chunk, states),
  }));
}
