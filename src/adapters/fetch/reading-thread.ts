import { Worker } from 'node:worker_threads';
import { systemErrorCode } from '../../domain/errors.js';
import {
  type ReadablePage,
  type ReadingResult,
  type ReadingTask,
  UnreadablePage,
} from './readable-page.js';

interface ReadingOptions {
  readonly workerFile: URL;
  readonly timeoutMs: number;
  /** Ends the thread when aborted. */
  readonly signal: AbortSignal;
}

/**
 * Reads a page in a separate thread, which is terminated if it takes too long: a hostile page can keep a parser busy
 * for minutes, and nothing else may wait for it.
 * @throws UnreadablePage; the reason of the signal
 */
export async function readInThread(
  task: ReadingTask,
  { workerFile, timeoutMs, signal }: ReadingOptions,
): Promise<ReadablePage> {
  signal.throwIfAborted();
  const worker = new Worker(workerFile, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: PAGE_READING_MEMORY_MB },
    stdout: true,
    stderr: true,
  });
  try {
    const result = await awaitResult(worker, { timeoutMs, signal });
    if ('page' in result) return result.page;
    throw new UnreadablePage(result.unreadable, { cause: result.cause });
  } finally {
    await worker.terminate();
  }
}

function awaitResult(
  worker: Worker,
  { timeoutMs, signal }: Pick<ReadingOptions, 'timeoutMs' | 'signal'>,
): Promise<ReadingResult> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) => reject(new UnreadablePage(reason, { cause }));
    const stop = () => reject(signal.reason);
    const timer = setTimeout(() => fail('it takes too long to read'), timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', resolve);
    worker.once('error', (error) =>
      systemErrorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY'
        ? fail('it takes too much memory to read')
        : fail(READER_FAILED, error),
    );
    worker.once('exit', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      fail(READER_FAILED);
    });
  });
}

/** A fault of the thread, such as a missing package. A page that cannot be parsed is a regular result instead. */
const READER_FAILED = 'the thread that reads pages failed';

const PAGE_READING_MEMORY_MB = 512;
