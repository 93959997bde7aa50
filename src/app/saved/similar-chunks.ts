import { headOf } from '../../domain/chunks/text.js';
import { MAX_TOKENS_RANGE, QUERY_MAX_CHARACTERS } from '../../domain/limits.js';
import { isSessionPath } from '../../domain/project-layout.js';
import { readPlain } from '../../domain/query/query.js';
import { type CosineScale, onReferenceScale } from '../../domain/ranking/cosine-scale.js';
import { relevanceTo } from '../../domain/ranking/relevance.js';
import { cosineSimilarity, type Vector } from '../../domain/ranking/vector.js';
import { onOneLine } from '../../domain/saved/saved-text.js';
import type { Clock } from '../../ports/clock.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { RelevanceScales } from '../../ports/relevance-scales.js';
import type { Answer } from '../../schemas/checks.js';
import type { similarChunk } from '../../schemas/notes.js';
import { withTimeout } from '../../shared/concurrency.js';
import type { Project } from '../project.js';
import {
  type ExistingTextDeps,
  type KnownChunk,
  SIMILAR_FROM,
  type SoughtText,
} from './existing-text.js';

export interface SimilarChunksDeps extends ExistingTextDeps {
  readonly embedder: EmbeddingModel;
  readonly relevanceScales: Pick<RelevanceScales, 'read'>;
  readonly clock: Clock;
}

/** The known chunks that come nearest to a text by words and meaning, best first. The embedding model may be missing. */
export async function findByMeaning(
  options: SimilarChunksDeps,
  project: Project,
  text: SoughtText,
): Promise<readonly KnownChunk[]> {
  const whole = `${text.title}. ${text.content}`;
  const meaning = await embedInTime(options, whole);
  if (meaning === undefined) return [];
  const { results } = await options.search.byText({
    ...{ projectPath: project.path, profile: 'reading', query: whole, retrievals: 'uncounted' },
    ...{ excludedSources: text.except, maxResults: COMPARED, maxTokens: MAX_TOKENS_RANGE.max },
  });
  const chunks = results.map(({ chunk }) => chunk);
  const ids = chunks.map(({ id }) => id);
  const stored = await project.store.vectors.similarities('content', meaning.vector, ids);
  const rate = relevanceTo(readPlain(whole));
  const rated: KnownChunk[] = [];
  for (const chunk of chunks) {
    const cosine = stored.get(chunk.id) ?? (await cosineTo(options, meaning.vector, chunk));
    if (cosine === undefined) continue;
    const referenceCosine = onReferenceScale(cosine, meaning.scale);
    rated.push({ chunk, relevance: rate({ chunk, cosine, referenceCosine }) });
  }
  return rated;
}

const COMPARED = 8;

interface Meaning {
  readonly vector: Vector;
  readonly scale: CosineScale;
}

/** Waits a little for a model that is being loaded. Undefined without one, and where its scale is not known. */
async function embedInTime(options: SimilarChunksDeps, text: string): Promise<Meaning | undefined> {
  const { embedder, relevanceScales } = options;
  const { state } = embedder.status();
  if (state === 'absent' || state === 'failed') return undefined;
  const scale = await relevanceScales.read(embedder.model);
  const vector = scale && (await embed(options, headOf(text, QUERY_MAX_CHARACTERS)));
  return scale && vector && { vector, scale };
}

async function embed({ embedder, clock }: SimilarChunksDeps, text: string) {
  return withTimeout(clock, WAIT_MS, (signal) => embedder.embed(text, signal)).catch(
    () => undefined,
  );
}

const WAIT_MS = 3000;

/** Of a chunk that has no vector yet. */
async function cosineTo(
  options: SimilarChunksDeps,
  vector: Vector,
  { heading = '', content }: KnownChunk['chunk'],
): Promise<number | undefined> {
  const other = await embed(options, headOf(`${heading}. ${content}`, QUERY_MAX_CHARACTERS));
  return other && cosineSimilarity(vector, other);
}

/** The nearest of these chunks as reported: each once, most relevant first, without conversations. */
export async function describeSimilar(
  { appDirs }: Pick<ExistingTextDeps, 'appDirs'>,
  { path, store }: Project,
  known: readonly KnownChunk[],
): Promise<readonly Answer<typeof similarChunk>[]> {
  const appDir = appDirs.of(path);
  const near = known
    .filter(({ chunk }) => !isSessionPath(appDir, chunk.sourceFile))
    .filter(({ relevance }) => relevance >= SIMILAR_FROM)
    .toSorted((a, b) => a.relevance - b.relevance);
  const best = [...new Map(near.map((one) => [one.chunk.sourceFile, one])).values()]
    .toSorted((a, b) => b.relevance - a.relevance)
    .slice(0, TOLD);
  const lines = await store.chunks.findLines(best.map(({ chunk }) => chunk.id));
  return best.map(({ chunk: { id, sourceFile, content }, relevance }) => ({
    ...{ id, sourceFile, line: lines.get(id) ?? 1, relevance },
    text: headOf(onOneLine(/\S.*/.exec(content)?.[0] ?? ''), TEXT_CHARACTERS),
  }));
}

const TOLD = 3;
const TEXT_CHARACTERS = 300;
