import { globMatcher } from '../../domain/glob.js';
import { pathsMeant } from '../../domain/paths.js';
import { parseTime } from '../../domain/query/times.js';
import { listSupersessions, supersededBy } from '../../domain/saved/supersession.js';
import type { ChunkFilter } from '../../ports/keyword-index.js';
import type { ProjectFileReader } from '../../ports/project-files.js';
import type { Project } from '../project.js';
import type { SearchParameters } from './retrieval.js';

/** Builds the filter that the indexes apply while they select candidates. It also leaves out hidden sources. */
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
    sourceTypes,
    tags,
    excludedSources: [...excludedSources, ...hidden],
    ...(folders && { folders }),
    ...(paths && { sourceFiles: (await store.chunks.sourceFiles()).filter(pathFilter(paths)) }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

/**
 * Returns a function that tells whether a source file matches one of the globs, or is at or below one of the paths.
 * Accented letters match whether composed or not, because file systems differ in that.
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

/** The source files that searches leave out: expired ones and, unless requested, superseded ones. */
export async function hiddenSources(
  project: Project,
  { now, includeSuperseded = false }: { readonly now: Date; readonly includeSuperseded?: boolean },
): Promise<readonly string[]> {
  const replaced = includeSuperseded ? [] : (await replacedSources(project)).keys();
  return [...replaced, ...(await expiredSources(project, now))];
}

/** The superseded source files, each with the file that supersedes it. */
export async function replacedSources({ store }: Project): Promise<ReadonlyMap<string, string>> {
  return supersededBy(listSupersessions(await store.chunks.indexedSources('superseding')));
}

/** The expired source files, which no search finds from their expiry day (UTC) on. */
export async function expiredSources({ store }: Project, now: Date): Promise<readonly string[]> {
  const today = now.toISOString().slice(0, 10);
  const expiring = await store.chunks.indexedSources('expiring');
  return expiring
    .filter(({ expires }) => expires !== undefined && expires <= today)
    .map(({ sourceFile }) => sourceFile);
}

/** Returns the paths that a path may mean, and the indexed sources to which it links; empty without a path. */
export async function sourcesMeant(
  files: Pick<ProjectFileReader, 'readText' | 'statOf'>,
  { path: root, store }: Project,
  sourceFile: string | undefined,
): Promise<readonly string[]> {
  if (sourceFile === undefined) return [];
  const meant = pathsMeant(sourceFile, root);
  const file = meant[1] ?? sourceFile;
  const reading = file === '' ? undefined : await files.readText(root, file);
  if (reading === undefined || 'skipped' in reading) return meant;
  const targets: string[] = [];
  for (const { sourceFile: source, contentHash } of await store.chunks.indexedSources()) {
    if (!contentHash.endsWith(reading.hash)) continue;
    const facts = await files.statOf(root, source);
    if (facts && 'version' in facts && facts.version === reading.version) targets.push(source);
  }
  return [...meant, ...targets];
}
