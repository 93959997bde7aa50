/** Entry of a worker thread: loads the model that `workerData` names, then embeds what it is sent. */
import { register } from 'node:module';
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../../domain/errors.js';
import type { Vector } from '../../../domain/ranking/vector.js';
import type { SentenceModel } from './sentence-model.js';
import type { EmbedRequest, ThreadMessage, ThreadTask } from './thread-messages.js';

const TRIAL_TEXT = 'A short text that shows whether the model works.';
const LOWEST_PRIORITY = 19;

if (parentPort !== null) await serve(parentPort, workerData as ThreadTask);

async function serve(port: MessagePort, task: ThreadTask): Promise<void> {
  silenceConsole();
  const say = (message: ThreadMessage): void => port.postMessage(message);
  if (task.priority === 'background') giveWay();
  try {
    const model = await loadModel(task);
    say({ kind: 'ready', trial: await model.embed(TRIAL_TEXT) });
    answerInOrder(port, model, say);
  } catch (error) {
    say({ kind: 'unloadable', reason: reasonOf(error) });
    port.close();
  }
}

/** The library prints warnings about things that are as they should be. */
function silenceConsole(): void {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    console[method] = () => {};
}

/** On Linux a priority belongs to a thread, and 0 is the thread that calls; elsewhere it is the whole process. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, LOWEST_PRIORITY);
  } catch {
    // A sandbox may forbid it; the thread then works at normal priority.
  }
}

async function loadModel(task: ThreadTask): Promise<SentenceModel> {
  register('./native-stubs.js', import.meta.url);
  // Imported only now, since a hook acts on later imports.
  const { loadSentenceModel } = await import('./sentence-model.js');
  return loadSentenceModel(task.modelsDirectory, task.model);
}

function answerInOrder(
  port: MessagePort,
  model: SentenceModel,
  say: (message: ThreadMessage) => void,
): void {
  let turn = Promise.resolve();
  port.on('message', ({ id, texts }: EmbedRequest) => {
    turn = turn.then(async () => {
      try {
        say({ kind: 'vectors', id, vectors: await embedEach(model, texts) });
      } catch (error) {
        say({ kind: 'failed', id, reason: reasonOf(error) });
      }
    });
  });
}

async function embedEach(
  model: SentenceModel,
  texts: readonly string[],
): Promise<readonly Vector[]> {
  const vectors: Vector[] = [];
  for (const text of texts) vectors.push(await model.embed(text));
  return vectors;
}
