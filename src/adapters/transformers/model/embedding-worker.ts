/** Entry point of a worker thread: loads the model named in `workerData`, then embeds texts, one at a time. */
import { register } from 'node:module';
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorReason } from '../../../domain/errors.js';
import { TRIAL_TEXT } from '../../../ports/embedder.js';
import { CLOSE, type EmbedRequest, type ThreadReply, type ThreadTask } from './model-thread.js';
import type { SentenceModel } from './sentence-model.js';

const TRIAL: EmbedRequest = { role: 'query', text: TRIAL_TEXT };
const LOWEST_PRIORITY = 19;

if (parentPort !== null) await serve(parentPort, workerData);

async function serve(port: MessagePort, task: ThreadTask): Promise<void> {
  if (task.priority === 'background') lowerPriority();
  const send = (reply: ThreadReply): void => port.postMessage(reply);
  try {
    const model = await loadModel(task);
    const reply = async ({ text, role }: EmbedRequest): Promise<void> =>
      send({ kind: 'vector', vector: await model.embed(text, role) });
    let replied = reply(TRIAL);
    await replied;
    port.on('message', (request: EmbedRequest | typeof CLOSE) => {
      if (request !== CLOSE) replied = reply(request).catch(fail);
      else {
        model.stop();
        void replied.finally(() => port.close());
      }
    });
  } catch (error) {
    fail(error);
  }

  function fail(error: unknown): void {
    send({ kind: 'failed', reason: errorReason(error) });
    port.close();
  }
}

/**
 * Lowers the priority of this thread. Only on Linux do priorities belong to threads (0 is the calling one); elsewhere
 * they belong to the process.
 */
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
