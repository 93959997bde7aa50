/** Entry point of a worker thread: loads the model named in `workerData`, then embeds the texts it is sent. */
import { register } from 'node:module';
import { setPriority } from 'node:os';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../../domain/errors.js';
import { PromiseQueue } from '../../../domain/promise-queue.js';
import type { Vector } from '../../../domain/ranking/vector.js';
import type { EmbedRequest, ThreadMessage, ThreadRequest, ThreadTask } from './model-thread.js';
import type { SentenceModel } from './sentence-model.js';

const TRIAL_TEXT = 'A short text that shows whether the model works.';
const LOWEST_PRIORITY = 19;

if (parentPort !== null) await serve(parentPort, workerData as ThreadTask);

async function serve(port: MessagePort, task: ThreadTask): Promise<void> {
  silenceConsole();
  const report = (message: ThreadMessage): void => port.postMessage(message);
  if (task.priority === 'background') lowerPriority();
  try {
    const model = await loadModel(task);
    report({ kind: 'ready', trial: await model.embed(TRIAL_TEXT, 'query') });
    serveInOrder(port, model, report);
  } catch (error) {
    report({ kind: 'unloadable', reason: reasonOf(error) });
    port.close();
  }
}

/** The library prints warnings about settings that are intended. */
function silenceConsole(): void {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    console[method] = () => {};
}

/** On Linux, priorities belong to threads, and 0 is the calling thread; elsewhere they belong to the process. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, LOWEST_PRIORITY);
  } catch {
    // A sandbox may forbid it; the thread then runs at normal priority.
  }
}

async function loadModel(task: ThreadTask): Promise<SentenceModel> {
  register('./native-module-replacements.js', import.meta.url);
  // Imported here, because the module hook only affects later imports.
  const { loadSentenceModel } = await import('./sentence-model.js');
  return loadSentenceModel(task);
}

function serveInOrder(
  port: MessagePort,
  model: SentenceModel,
  report: (message: ThreadMessage) => void,
): void {
  const calls = new Map<number, AbortController>();
  const queue = new PromiseQueue();
  port.on('message', (request: ThreadRequest) => {
    const { id } = request;
    if (request.kind === 'cancel') return calls.get(id)?.abort();
    const call = new AbortController();
    calls.set(id, call);
    void queue.run(async () => {
      try {
        report({
          kind: 'vectors',
          id,
          vectors: await embedEach(model, request, call.signal),
        });
      } catch (error) {
        if (error !== call.signal.reason) report({ kind: 'failed', id, reason: reasonOf(error) });
      } finally {
        calls.delete(id);
      }
    });
  });
}

async function embedEach(
  model: SentenceModel,
  { texts, role }: EmbedRequest,
  signal: AbortSignal,
): Promise<readonly Vector[]> {
  const checkpoint = async (): Promise<void> => {
    // The model blocks the thread; cancellations are received only between windows.
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  const vectors: Vector[] = [];
  for (const text of texts) vectors.push(await model.embed(text, role, checkpoint));
  return vectors;
}
