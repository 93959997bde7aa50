import { isSessionPath, sessionsFolder } from '../../domain/project-layout.js';
import { exactMatches } from '../../domain/query/exact-words.js';
import { preferringFirst } from '../../domain/ranking/merged-results.js';
import { EVEN_ODDS, relevanceTo } from '../../domain/ranking/relevance.js';
import { distinctTexts, type ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { Project } from '../project.js';
import { type Arranged, arrange } from './arrangement.js';
import { rateRetrieved } from './rating.js';
import type { RetrievalRequest, Retrieve, Retrieved, SearchParameters } from './retrieval.js';

/** A search request as the caller made it, the same completed with defaults, and how to find candidates. */
export interface SearchTask {
  readonly asked: SearchParameters;
  readonly request: RetrievalRequest;
  readonly retrieve: Retrieve;
}

interface ArrangedSearch {
  readonly retrieved: Retrieved;
  readonly all: Arranged;
}

/**
 * Finds and arranges chunks. For `reading`, sessions never displace other candidates, which are found as if there were
 * no sessions. A session ranks above another candidate only if it probably answers and is clearly more relevant, or
 * contains more exact words.
 */
export async function findBesideSessions(
  project: Project,
  appDir: string,
  wanted: SearchTask,
): Promise<ArrangedSearch> {
  const found = await find(project, wanted);
  const { profile, filter, exactWords, query } = wanted.request;
  const isSession = ({ chunk }: ScoredChunk) => isSessionPath(appDir, chunk.sourceFile);
  if (profile === 'specified' || !found.retrieved.ranked.some(isSession)) return found;
  const excludedFolders = [...(filter.excludedFolders ?? []), sessionsFolder(appDir)];
  const request = { ...wanted.request, filter: { ...filter, excludedFolders } };
  const others = await find(project, { ...wanted, request });
  if (others.retrieved.ranked.length === 0) return found;
  const byWords = relevanceTo(query);
  const rate = (scored: ScoredChunk) => {
    const relevance = scored.relevance ?? byWords({ chunk: scored.chunk });
    const counted = isSession(scored) && relevance < EVEN_ODDS ? 0 : relevance;
    return counted + exactMatches(exactWords, scored.chunk);
  };
  const ranked = preferringFirst(others.all.ranked, found.all.ranked.filter(isSession), rate);
  return {
    retrieved: {
      ...found.retrieved,
      ranked: [...others.retrieved.ranked, ...found.retrieved.ranked.filter(isSession)],
    },
    all: { ranked: distinctTexts(ranked), leftOut: others.all.leftOut + found.all.leftOut },
  };
}

async function find(
  project: Project,
  { asked, request, retrieve }: SearchTask,
): Promise<ArrangedSearch> {
  const found = await retrieve(project, request);
  const retrieved = await rateRetrieved(project, found, { asked, request, retrieve });
  return { retrieved, all: arrange(retrieved, asked, request) };
}
