import type { Budgeted } from '../../domain/ranking/budget.js';
import { isDoubtful } from '../../domain/ranking/relevance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { FirstIndexing, FoundChunks } from '../../domain/ranking/search.js';
import type { CitationReports } from '../citations/citation-judge.js';
import type { Project } from '../project.js';
import type { Arranged } from './arrangement.js';
import type { RetrievalRequest, Retrieved } from './retrieval.js';

/** The findings of a search, from which the answer is made. */
export interface SearchFindings {
  readonly project: Project;
  /** As given by the caller, maybe through links. */
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

/** How many chunks lack a vector; 0 unless candidates of a search by meaning do, or its answer is weak. */
export async function countWithoutVectors(findings: SearchFindings): Promise<number> {
  const { project, retrieved } = findings;
  const { mode, ranked, lacks } = retrieved;
  const isLacking =
    lacks === 'vectors' ||
    (mode === 'hybrid' && (isWeak(findings) || ranked.some(({ cosine }) => cosine === undefined)));
  return isLacking ? (await project.store.vectors.status('stored')).pending : 0;
}
