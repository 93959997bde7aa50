import { setTimeout as sleep } from 'node:timers/promises';
import { KnowledgeError } from '../../domain/errors.js';
import type { StatusBody } from './bodies.js';
import type { Session } from './session.js';
import { sized } from './text/format.js';
import { Progress } from './text/progress.js';

/**
 * Loads the embedding model if a project has vectors that a search can use, and waits for it, but not for
 * long: a search works without it, and says so.
 */
export async function loadModel(
  session: Session,
  projects: readonly string[] = [session.project.path],
  timeouts = LOADING_TIMEOUTS_MS,
): Promise<void> {
  const statuses = await Promise.all(projects.map((project) => statusOf(session, project)));
  const isUsable = statuses.some(
    ({ embeddings, model }) => embeddings.complete > 0 && model.state !== 'absent',
  );
  if (!isUsable) return;
  const progress = new Progress(session.terminal, 'Loading the embedding model');
  const waiting = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: waiting.signal });
  const waited = async () => {
    await pause(timeouts.silent);
    if (!session.terminal.showsProgress) session.note('The embedding model is still loading …');
    await pause(timeouts.noted);
  };
  try {
    await progress.during(() => Promise.race([session.operations.loadModel(), waited()]));
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error;
    session.note(`This search is by keyword alone. ${error.message}`);
  } finally {
    waiting.abort();
  }
}

/** On a busy machine the model takes some ten seconds; after five, one line says that it is loading. */
const LOADING_TIMEOUTS_MS = { silent: 5000, noted: 10_000 };

/** Waits until the background work has made the vectors of all chunks. Stops waiting if there is no model. */
export async function makeVectors(session: Session): Promise<void> {
  const first = await statusOf(session);
  if (first.embeddings.pending === 0) return;
  if (first.model.state === 'absent') return session.note(NO_MODEL);
  try {
    await downloadModel(session);
    session.operations.startBackgroundWork();
    await untilComplete(session);
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error;
    session.note(`${NO_MODEL} ${error.message}`);
  }
}

/**
 * Loads the model, and shows how far its download is if it is not installed.
 * @throws KnowledgeError `model_unavailable`
 */
export async function downloadModel({ operations, terminal }: Session): Promise<void> {
  const loading = new Progress(terminal, 'Loading the embedding model');
  const downloading = new Progress(terminal, 'Downloading the embedding model', { unit: sized });
  const timer = setInterval(() => {
    const { download } = operations.modelStatus();
    if (download !== undefined) downloading.show(download);
  }, POLL_MS);
  await loading.during(() => operations.loadModel()).finally(() => clearInterval(timer));
}

async function untilComplete(session: Session): Promise<void> {
  const progress = new Progress(session.terminal, 'Making vectors');
  await progress.during(async () => {
    for (;;) {
      const { embeddings, model } = await statusOf(session);
      const { complete, pending } = embeddings;
      if (pending === 0 || model.state === 'failed') return;
      progress.show({ done: complete, total: complete + pending });
      await sleep(POLL_MS);
    }
  });
}

const NO_MODEL =
  'Everything is indexed. Until there is an embedding model, searches use keywords alone.';
const POLL_MS = 250;

function statusOf(session: Session, projectPath = session.project.path): Promise<StatusBody> {
  return session.call<StatusBody>('GET /api/knowledge/x/status', { projectPath });
}
