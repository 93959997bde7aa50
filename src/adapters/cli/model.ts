import { setTimeout as sleep } from 'node:timers/promises';
import { KnowledgeError } from '../../domain/errors.js';
import type { StatusBody } from './bodies.js';
import type { Fields } from './command-line-parts.js';
import type { Needs, Session } from './session.js';
import { counted, lasting, sized } from './text/format.js';
import { Progress } from './text/progress.js';

/**
 * Loads the embedding model if a project has vectors that a search can use, and waits for it, but not for
 * long: a search works without it, and says so.
 */
export async function loadModel(
  session: Session,
  projects: readonly string[] = [session.project.path],
): Promise<void> {
  const statuses = await Promise.all(projects.map((project) => statusOf(session, project)));
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
    session.note(`This search is by keyword alone. ${error.message}`);
  } finally {
    waiting.abort();
  }
}

/** On a busy machine the model takes some ten seconds. */
const LOADING_TIMEOUT_MS = 15_000;

/** The option of commands that leave chunks without vectors. */
export const VECTOR_OPTIONS = [
  ['--wait', 'wait until all vectors are made; default: they follow in the background'],
  ['--no-vectors', 'leave vectors to a running service or the next command'],
] as const;

/** What such a command needs. */
export function vectorNeeds({ vectors }: Fields): Needs {
  return { model: vectors === false ? 'unused' : 'downloaded' };
}

/** Waits until all chunks have their vectors, or has them made in the background, as the options say. */
export async function completeVectors(session: Session, given: Fields): Promise<void> {
  if (given['vectors'] === false) return;
  const { embeddings, model } = await statusOf(session);
  if (embeddings.pending === 0) return;
  if (model.state === 'absent')
    return session.note(withoutModel(session.operations.modelFailure()));
  if (given['wait'] === true) return makeVectors(session);
  const { to, chunksPerSecond } = await session.operations.leaveVectors(session.project.path);
  const where = to === 'service' ? 'from the service that runs' : 'in the background';
  const rate = chunksPerSecond ? `, about ${lasting(embeddings.pending / chunksPerSecond)}` : '';
  const next = (await isInstalled(session, model))
    ? `vectors follow ${where}${rate}; --wait waits.`
    : `search by meaning follows ${where}, once the embedding model is downloaded; "knowledge-store status" says how far it is.`;
  session.note(`${counted(embeddings.pending, 'chunk')} can be found by words; ${next}`);
}

/** A model at an endpoint needs no files. */
async function isInstalled({ operations }: Session, { runtime }: StatusBody['model']) {
  return runtime === 'endpoint' || (await operations.installedModel()).bytes > 0;
}

/** Has what is missing made in the background, if the model is there. */
export async function leaveVectors(session: Session): Promise<void> {
  const { embeddings, model } = await statusOf(session);
  if (embeddings.pending === 0 || model.state === 'absent') return;
  await session.operations.leaveVectors(session.project.path);
}

async function makeVectors(session: Session): Promise<void> {
  try {
    await downloadModel(session);
    session.operations.startBackgroundWork();
    await untilComplete(session);
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error;
    session.note(withoutModel(error.message));
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

function withoutModel(failure = ''): string {
  return `Everything is indexed. Until there is an embedding model, searches use keywords alone. ${failure}`.trimEnd();
}

const POLL_MS = 250;

function statusOf(session: Session, projectPath = session.project.path): Promise<StatusBody> {
  return session.call<StatusBody>('GET /api/knowledge/x/status', { projectPath });
}
