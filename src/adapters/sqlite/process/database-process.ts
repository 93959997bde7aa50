import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, KnowledgeError } from '../../../domain/errors.js';
import type { AdoptionTarget } from '../adoption/adopt.js';
import { Database } from '../database/driver.js';
import { sizeOf } from '../database/files.js';
import type { RetryLimit } from '../database/statements.js';
import { type LongStatements, runHere } from './long-statements.js';

/** What another process does with a database: everything that must not stop the event loop, or may never end. */
export type Task =
  | { readonly kind: 'statement'; readonly name: keyof LongStatements; readonly path: string }
  | { readonly kind: 'read'; readonly path: string; readonly dimensions: number }
  | { readonly kind: 'adopt'; readonly target: AdoptionTarget };

/** What the process sends; it waits for an answer to each, so that it is never ahead. */
export type Message =
  | { readonly kind: 'step' | 'result'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly message: string; readonly code: string };

/** Runs a statement, however long it takes: for a large database in another process, so that the event loop is not blocked. */
export async function runStatement<Name extends keyof LongStatements>(
  name: Name,
  path: string,
  limit: RetryLimit,
): Promise<ReturnType<LongStatements[Name]>> {
  if (sizeOf(path) + sizeOf(`${path}-wal`) <= SMALL_MAX_BYTES) return runHere(name, path, limit);
  const task = { kind: 'statement', name, path } as const;
  const result = await resultOf(task, AbortSignal.any([...limit.signals]));
  return result as ReturnType<LongStatements[Name]>;
}

/** Some 2,000 chunks, whose rebuild takes a quarter of a second; starting another process takes a tenth. */
const SMALL_MAX_BYTES = 8 * 1024 * 1024;

/** @throws what the process throws, or KnowledgeError `not_readable` when it was silent for too long */
export async function resultOf(task: Task, signal: AbortSignal): Promise<unknown> {
  for await (const message of messagesOf(task, signal)) {
    if (message.kind === 'result') return message.value;
  }
  throw ended();
}

/** The messages of a process, which is ended with the iteration, and when it reads rows and sends nothing for too long. */
export async function* messagesOf(task: Task, signal?: AbortSignal): AsyncGenerator<Message> {
  if (signal?.aborted) throw ended();
  const child = fork(FILE, {
    execArgv: extname(FILE) === '.ts' ? ['--import', 'tsx'] : [],
    serialization: 'advanced',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => void child.kill('SIGKILL');
  signal?.addEventListener('abort', kill, { once: true });
  try {
    child.send(task);
    for (;;) {
      const message = await nextMessage(child, task);
      if (message.kind === 'failure') throw errorOf(message);
      yield message;
      if (message.kind === 'result') return;
      child.send('next');
    }
  } finally {
    signal?.removeEventListener('abort', kill);
    kill();
  }
}

/** In the folder of this file, compiled or not. */
const FILE = fileURLToPath(
  new URL(`./serve-tasks${extname(fileURLToPath(import.meta.url))}`, import.meta.url),
);

async function nextMessage(child: ChildProcess, { kind }: Task): Promise<Message> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const isSteady = kind !== 'statement';
  const timer = isSteady && setTimeout(() => waiting.abort(SILENT), SILENCE_MS);
  try {
    const exited = once(child, 'exit', { signal }).then(() => {
      throw ended();
    });
    const [message] = await Promise.race([once(child, 'message', { signal }), exited]);
    return message as Message;
  } catch (error) {
    throw signal.reason === SILENT ? SILENT : error;
  } finally {
    clearTimeout(timer || undefined);
    waiting.abort();
  }
}

/** A batch of rows takes a fraction of a second. */
const SILENCE_MS = 20_000;

const SILENT = new KnowledgeError(
  'not_readable',
  'Reading the database takes too long; check the file with the program that made it.',
);

/** As it was thrown in the process. */
function errorOf({ message, code }: Message & { readonly kind: 'failure' }): Error {
  if (/^SQLITE_/.test(code)) return new Database.SqliteError(message, code);
  if (/^[a-z_]+$/.test(code)) return new KnowledgeError(code as ErrorCode, message);
  return Object.assign(new Error(message), { code });
}

function ended(): KnowledgeError {
  return new KnowledgeError(
    'store_unavailable',
    'The process that worked on the database has ended; try again.',
  );
}
