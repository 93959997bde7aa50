import type { FoundChunks, SearchResult } from '../../domain/ranking/search.js';
import { findState, type SourceState } from '../../domain/saved/note-record.js';
import type { CitationJudging } from '../citations/citation-judge.js';
import type { Project } from '../project.js';
import type { SearchFindings } from './findings.js';

export interface DescriptionDeps {
  readonly citations: Pick<CitationJudging, 'reports'>;
  readonly sourceStates: SourceStateFinder;
}

interface SourceStateFinder {
  find(project: Project, sourceFiles: readonly string[]): Promise<ReadonlyMap<string, SourceState>>;
}

/** Adds citation states to results and, in the profile `reading`, the versions of notes and the agents of sessions. */
export async function describedResults(
  { citations, sourceStates }: DescriptionDeps,
  { project, request, reports: known }: SearchFindings,
  { results }: FoundChunks,
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
