import { PRUNE_AFTER_DAYS } from '../../domain/limits.js';
import type { ChunkEntry } from '../../domain/overview/chunk-list.js';
import { isSessionPath } from '../../domain/project-layout.js';
import { isPrunable, unusedSince } from '../../domain/upkeep/pruning.js';
import type { Clock } from '../../ports/clock.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { PruneReport, PruneRequest } from '../../schemas/upkeep.js';
import type { Project } from '../project.js';
import type { Projects } from '../projects/projects.js';

interface PruningDeps {
  readonly projects: Pick<Projects, 'open' | 'find'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly appDirs: AppDirectories;
}

/** Deletes old chunks that no search has ever returned (docs/specification.md, "Pruning"). */
export class Pruning {
  readonly #deps: PruningDeps;

  constructor(deps: PruningDeps) {
    this.#deps = deps;
  }

  /**
   * Deletes the chunks that were never retrieved and are at least 90 days old. With `dryRun`, only finds them and
   * creates no store; with `ids`, only considers these chunks.
   */
  async prune({ projectPath, dryRun, ids }: PruneRequest): Promise<PruneReport> {
    const { projects, clock, appDirs } = this.#deps;
    const startedAt = clock.now();
    const project = await (dryRun ? projects.find(projectPath) : projects.open(projectPath));
    const appDir = project && appDirs.of(project.path);
    const found = (await project?.store.chunks.entries()) ?? [];
    const entries = found.map((entry) => sinceIndexed(entry, appDir));
    const wanted = ids && new Set(ids);
    const prunable = entries.filter(
      (entry) =>
        (wanted?.has(entry.id) ?? true) && isPrunable(withRetrievalCount(entry), clock.now()),
    );
    const pruned =
      project === undefined || dryRun ? prunable : await deleteUnused(prunable, project, startedAt);
    return { deleted: pruned.length, chunks: pruned.map(toPrunedChunk) };
  }
}

/** Deletes chunks, except those written or retrieved in the meantime. */
async function deleteUnused(
  prunable: readonly ChunkEntry[],
  { store }: Project,
  startedAt: Date,
): Promise<readonly ChunkEntry[]> {
  const deleted = new Set<string>();
  for (let at = 0; at < prunable.length; at += PRUNED_AT_ONCE) {
    const ids = prunable.slice(at, at + PRUNED_AT_ONCE).map(({ id }) => id);
    for (const id of await store.chunks.deleteChunks(ids, startedAt)) deleted.add(id);
  }
  return prunable.filter(({ id }) => deleted.has(id));
}

/** Batch size, so that other writers need not wait for all deletions. */
const PRUNED_AT_ONCE = 100;

/** Lets the age of a session's exchange count from indexing, because it may already be old when first indexed. */
function sinceIndexed(entry: ChunkEntry, appDir = ''): ChunkEntry {
  return isSessionPath(appDir, entry.sourceFile) ? { ...entry, createdAt: entry.updatedAt } : entry;
}

function withRetrievalCount({ retrievals, ...entry }: ChunkEntry) {
  return { ...entry, retrievalCount: retrievals };
}

function toPrunedChunk(entry: ChunkEntry) {
  const { id, sourceFile } = entry;
  return {
    id,
    sourceFile,
    reason: `Never retrieved, and unused since ${unusedSince(withRetrievalCount(entry))}: at least ${PRUNE_AFTER_DAYS} days.`,
  };
}
