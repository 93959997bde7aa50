import { setImmediate } from 'node:timers/promises';
import type { PrimaryMessage, WorkerMessage } from '../../src/adapters/cluster/messages.js';
import { PrimaryLink } from '../../src/adapters/cluster/primary-link.js';
import { WorkerLink } from '../../src/adapters/cluster/worker-link.js';
import type { EmbeddingModel } from '../../src/ports/embedder.js';

/**
 * The embedder that a worker process gets from its primary. Messages are copied and arrive later, as between processes.
 */
export function inWorker(embedder: EmbeddingModel): EmbeddingModel {
  const { model, dimensions } = embedder;
  const metrics = async () => '';
  const primary = new WorkerLink({ embedder, metrics }, (message) => deliver(worker, message));
  const worker = new PrimaryLink({ model, dimensions, status: embedder.status() }, (message) =>
    deliver(primary, message),
  );
  return worker.embedder();
}

async function deliver<Message extends PrimaryMessage | WorkerMessage>(
  to: { receive(message: Message): void },
  message: Message,
): Promise<void> {
  await setImmediate();
  to.receive(structuredClone(message));
}
