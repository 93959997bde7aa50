import { MAX_TOKENS_RANGE, QUERY_MAX_CHARACTERS } from '../../domain/limits.js';
import { isSessionPath } from '../../domain/project-layout.js';
import { readPlain } from '../../domain/query/query.js';
import { type CosineScale, onReferenceScale } from '../../domain/ranking/cosine-scale.js';
import { relevanceTo } from '../../domain/ranking/relevance.js';
import { cosineSimilarity, type Vector } from '../../domain/ranking/vector.js';
import { onOneLine } from '../../domain/saved/saved-text.js';
import { takeHead } from '../../domain/text.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { RelevanceScales } from '../../ports/relevance-scales.js';
import type { Answer } from '../../schemas/checks.js';
import type { similarChunk } from '../../schemas/notes.js';
import { withTimeout } from '../../shared/concurrency.js';
import type { Project } from '../project.js';
import type { Search } from '../search/search.js';
import {
  type ExistingTextDeps,
  type KnownChunk,
  SIMILAR_FROM,
  type SoughtText,
} from './existing-text.js';

export interface SimilarChunksDeps extends ExistingTextDeps {
  readonly embedder: EmbeddingModel;
  readonly relevanceScales: Pick<RelevanceScales, 'read'>;
  readonly search: Pick<Search, 'byText'>;
}

/**
 * Finds existing chunks that are similar to a text in words and meaning; none without an embedding model. Saving a note
 * waits for this, so it returns only chunks compared within {@link WAIT_MS}.
 */
export async function findByMeaning(
  options: SimilarChunksDeps,
  project: Project,
  text: SoughtText,
): Promise<readonly KnownChunk[]> {
  const rated: KnownChunk[] = [];
  await withTimeout(options.clock, WAIT_MS, async (signal) => {
    for await (const one of ratedChunks(options, project, { ...text, signal })) {
      if (signal.aborted) return;
      rated.push(one);
    }
  });
  return rated;
}

const WAIT_MS = 2000;

interface ComparedText extends SoughtText {
  readonly signal: AbortSignal;
}

async function* ratedChunks(
  options: SimilarChunksDeps,
  project: Project,
  { signal, ...text }: ComparedText,
): AsyncGenerator<KnownChunk> {
  const whole = `${text.title}. ${text.content}`;
  const meaning = await readMeaning(options, whole, signal);
  if (meaning === undefined || signal.aborted) return;
  const { results } = await options.search.byText({
    projectPath: project.path,
    profile: 'reading',
    retrievals: 'uncounted',
    query: whole,
    vector: meaning.vector,
    excludedSources: text.except,
    maxResults: COMPARED,
    maxTokens: MAX_TOKENS_RANGE.max,
  });
  const chunks = results.map(({ chunk }) => chunk);
  const ids = chunks.map(({ id }) => id);
  const stored = await project.store.vectors.similarities('content', meaning.vector, ids);
  const rate = relevanceTo(readPlain(whole));
  for (const chunk of chunks) {
    // Embeds a chunk that has no stored vector yet.
    const vector = stored.has(chunk.id)
      ? undefined
      : await embedText(options, comparedText(chunk), signal);
    const cosine = vector ? cosineSimilarity(meaning.vector, vector) : stored.get(chunk.id);
    if (cosine === undefined) continue;
    const referenceCosine = onReferenceScale(cosine, meaning.scale);
    yield { chunk, relevance: rate({ chunk, cosine, referenceCosine }) };
  }
}

const COMPARED = 8;

interface Meaning {
  readonly vector: Vector;
  readonly scale: CosineScale;
}

/**
 * Embeds a text and reads the model's scale of cosines. Undefined if there is no usable model, or its scale is unknown.
 */
async function readMeaning(
  options: SimilarChunksDeps,
  text: string,
  signal: AbortSignal,
): Promise<Meaning | undefined> {
  const { embedder, relevanceScales } = options;
  const { state } = embedder.status();
  if (state === 'absent' || state === 'failed') return undefined;
  const scale = await relevanceScales.read(embedder.model);
  const vector = scale && (await embedText(options, text, signal));
  return scale && vector && { vector, scale };
}

function comparedText({ heading = '', content }: KnownChunk['chunk']): string {
  return `${heading}. ${content}`;
}

/** Embeds the beginning of a text; undefined if the model fails. */
async function embedText(
  { embedder }: SimilarChunksDeps,
  text: string,
  signal: AbortSignal,
): Promise<Vector | undefined> {
  return embedder.embed(takeHead(text, QUERY_MAX_CHARACTERS), signal).catch(() => undefined);
}

/** Describes the most relevant of these chunks for the report, at most one per file. Sessions are left out. */
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
    id,
    sourceFile,
    line: lines.get(id) ?? 1,
    relevance,
    text: takeHead(onOneLine(/\S.*/.exec(content)?.[0] ?? ''), TEXT_CHARACTERS),
  }));
}

const TOLD = 3;
const TEXT_CHARACTERS = 300;
