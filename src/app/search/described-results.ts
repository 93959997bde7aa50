import type { NoteState } from '../../domain/saved/note-record.js';
import type { FoundChunks, SearchResult } from '../../domain/search.js';
import type { CitationJudging } from '../citations/citation-judge.js';
import type { Project } from '../project.js';
import type { SearchFindings } from './findings.js';

export interface DescriptionDeps {
  readonly citations: Pick<CitationJudging, 'reports'>;
  readonly noteStates: NoteStateFinder;
}

interface NoteStateFinder {
  find(project: Project, sourceFiles: readonly string[]): Promise<ReadonlyMap<string, NoteState>>;
}

/** Results with what has become of the files that they cite, and for people and agents the versions of notes. */
export async function describedResults(
  { citations, noteStates }: DescriptionDeps,
  { project, request }: SearchFindings,
  { results }: FoundChunks,
): Promise<readonly SearchResult[]> {
  const ids = results.map(({ chunk }) => chunk.id);
  const reports = await citations.reports(project, ids);
  const notes = results.filter(
    ({ chunk }) => request.profile === 'reading' && chunk.sourceType === 'manual',
  );
  const states = await noteStates.find(
    project,
    notes.map(({ chunk }) => chunk.sourceFile),
  );
  return results.map((one) => ({
    ...one,
    ...reports.get(one.chunk.id),
    ...states.get(one.chunk.sourceFile),
  }));
}
