import { globMatcher } from '../../domain/glob.js';
import { parseTime } from '../../domain/query/times.js';
import type { ChunkFilter } from '../../ports/keyword-index.js';
import type { Project } from '../project.js';
import { hiddenSources } from './hidden-sources.js';
import type { SearchParameters } from './retrieval.js';

/** The filters applied before candidates are counted; they also leave out hidden sources. */
export async function chunkFilter(
  project: Project,
  asked: SearchParameters,
  now: Date,
): Promise<ChunkFilter> {
  const { store } = project;
  const { includeSuperseded = false } = asked;
  const hidden = await hiddenSources(project, { now, includeSuperseded });
  const { sourceTypes = 'all', tags = [], excludedSources = [], folders, paths } = asked;
  const time = (text: string | undefined) =>
    text === undefined ? undefined : parseTime(text, now)?.toISOString();
  const [since, until] = [time(asked.since), time(asked.until)];
  return {
    ...{ sourceTypes, tags, excludedSources: [...excludedSources, ...hidden] },
    ...(folders && { folders }),
    ...(paths && { sourceFiles: (await store.chunks.sourceFiles()).filter(pathFilter(paths)) }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

/**
 * Whether a source file matches one of the globs, or is or lies below one of the given paths. Accents may be composed
 * or not: file systems differ in that.
 */
function pathFilter(paths: readonly string[]): (sourceFile: string) => boolean {
  const composed = paths.map((path) => path.normalize());
  const places = composed.map((path) => path.replace(/^(?:\.\/)+|(?<!\/)\/+$/g, ''));
  const matches = globMatcher(composed);
  return (sourceFile) => {
    const file = sourceFile.normalize();
    return (
      matches(file) ||
      places.some((place) => place === '.' || file === place || file.startsWith(`${place}/`))
    );
  };
}
