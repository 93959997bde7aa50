import { setTimeout as sleep } from 'node:timers/promises';
import { KnowledgeError } from '../../domain/errors.js';
import { formatCount } from '../../domain/figures.js';
import type { EmbedderStatus } from '../../ports/embedder.js';
import type { StatusBody } from './bodies.js';
import type { Fields } from './command-line-parts.js';
import type { Needs, Session } from './session.js';
import { formatSize, lasting } from './text/format.js';
import { Progress } from './text/progress.js';

/**
 * Loads the embedding model if a project has vectors. Waits for a limited time: a search without the model uses
 * keywords only, and says so.
 */
export async function loadModel(
  session: Session,
  projects: readonly string[] = [session.project.path],
): Promise<void> {
  const statuses = await Promise.all(projects.map((project) => fetchStatus(session, project)));
  const isUsable = statuses.some(
    ({ embeddings, model }) => embeddings.complete > 0 && model.state !== 'absent',
  );
  if (!isUsable) return;
  const progress = new Progress(session.terminal, 'Loading the embedding model');
  const waiting = new AbortController();
  const timeUp = sleep(LOADING_TIMEOUT_MS, undefined, { signal: waiting.signal });
  try {
    await progress.during(() => Promise.race([session.operations.loadModel(), timeUp]));
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error;
    session.note(`This search uses keywords only. ${error.message}`);
  } finally {
    waiting.abort();
  }
}

/** On a busy machine, loading the model takes about ten seconds. */
const LOADING_TIMEOUT_MS = 15_000;

/** Options of commands that add chunks, which then lack vectors. */
export const VECTOR_OPTIONS = [
  ['--wait', 'wait until search by meaning is ready; default: a local service prepares it'],
  ['--no-vectors', 'index for keyword search only; a service or a later command does the rest'],
] as const;

/** Requirements of a command with `VECTOR_OPTIONS`. */
export function vectorNeeds({ vectors }: Fields): Needs {
  return vectors === false ? { model: 'unused', service: 'none' } : { model: 'downloaded' };
}

/**
 * Embeds all chunks if `--wait` is given; otherwise leaves them to the local service and says when search by meaning
 * works.
 * @throws Error if vectors are missing after the wait
 */
export async function completeVectors(session: Session, given: Fields): Promise<void> {
  if (given['vectors'] === false) return;
  const { embeddings, model } = await fetchStatus(session);
  if (embeddings.pending === 0) return;
  const { failure, chunksPerSecond } = await session.operations.modelStatus();
  const isWanted = given['wait'] === true;
  if (model.state === 'absent') {
    noteMissingModel(session, failure);
    if (isWanted) throw missingVectors(embeddings);
    return;
  }
  if (isWanted) return makeVectors(session);
  const now = 'Keyword search works now.';
  if (session.operations.service === undefined) {
    return session.note(`${now} For search by meaning, run "knowledge-store ingest --wait".`);
  }
  const rate = chunksPerSecond ? ` in about ${lasting(embeddings.pending / chunksPerSecond)}` : '';
  const next = (await isInstalled(session, model))
    ? `Search by meaning follows${rate}`
    : 'Search by meaning follows once the embedding model is downloaded';
  session.note(`${now} ${next}; "knowledge-store status" shows the progress.`);
}

/** Says when search by meaning will find text that was just saved. The result completes a sentence. */
export async function findableByMeaning(session: Session): Promise<string> {
  const model = await session.operations.modelStatus();
  if (model.state === 'absent' || model.state === 'failed') return 'needs the embedding model';
  if (session.operations.service === undefined)
    return 'will find it after "knowledge-store ingest --wait"';
  return (await isInstalled(session, model))
    ? 'will find it shortly'
    : 'will find it once the embedding model is downloaded';
}

/** Whether the model needs no download: its files exist, or it runs at an endpoint. */
async function isInstalled(
  { operations }: Session,
  { runtime }: Pick<EmbedderStatus, 'runtime'>,
): Promise<boolean> {
  return runtime === 'endpoint' || (await operations.installedModel()).bytes > 0;
}

async function makeVectors(session: Session): Promise<void> {
  const progress = new Progress(session.terminal, 'Making vectors');
  try {
    await downloadModel(session);
    const onProgress = progress.show.bind(progress);
    await progress.during(() =>
      session.operations.makeVectors(session.project.path, { onProgress }),
    );
  } catch (error) {
    if (!(error instanceof KnowledgeError && error.code === 'model_unavailable')) throw error;
    noteMissingModel(session, error.message);
  }
  const { embeddings } = await fetchStatus(session);
  if (embeddings.pending > 0) throw missingVectors(embeddings);
}

function missingVectors({ pending }: StatusBody['embeddings']): Error {
  return new Error(
    `${formatCount(pending, 'chunk')} cannot be found by meaning yet; to try again, run "knowledge-store ingest --wait".`,
  );
}

/**
 * Loads the model. If it must be downloaded first, shows the progress.
 * @throws KnowledgeError `model_unavailable`
 */
export async function downloadModel({ operations, terminal }: Session): Promise<void> {
  const loading = new Progress(terminal, 'Loading the embedding model');
  const downloading = new Progress(terminal, 'Downloading the embedding model', {
    unit: formatSize,
  });
  const timer = setInterval(() => {
    void operations.modelStatus().then(
      ({ download }) => download && downloading.show(download),
      () => undefined,
    );
  }, POLL_MS);
  await loading.during(() => operations.loadModel()).finally(() => clearInterval(timer));
}

function noteMissingModel(session: Session, failure = ''): void {
  session.note('Keyword search works now. Search by meaning needs the embedding model.');
  for (const line of failure.split('\n')) session.note(line);
}

const POLL_MS = 250;

function fetchStatus(session: Session, projectPath = session.project.path): Promise<StatusBody> {
  return session.call('GET /api/knowledge/x/status', { projectPath });
}
