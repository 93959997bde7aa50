import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isErrorCode, KnowledgeError } from '../../../domain/errors.js';
import type { KeywordQuery } from '../../../ports/keyword-index.js';
import type { Adoption, AdoptionTarget, ConversionTarget } from '../adoption/adopt.js';
import { sqliteDriver } from '../database/driver.js';
import { readSize } from '../database/files.js';
import type { RetryLimit } from '../database/statements.js';
import { type LongStatements, runHere } from './long-statements.js';

/** Work that another process does on a database, because it would block the event loop or might never end. */
export type Task =
  | { readonly kind: 'statement'; readonly name: keyof LongStatements; readonly path: string }
  | { readonly kind: 'search'; readonly path: string; readonly query: KeywordQuery }
  | { readonly kind: 'adopt'; readonly target: AdoptionTarget }
  | { readonly kind: 'convert'; readonly target: ConversionTarget };

/** The one message that the process sends back. */
export type Message =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly message: string; readonly code: string };

/** Runs a statement. For a large database it runs in another process, so that it does not block the event loop. */
export function runStatement<Name extends keyof LongStatements>(
  name: Name,
  path: string,
  limit: RetryLimit,
): Promise<ReturnType<LongStatements[Name]>> {
  if (readSize(path) + readSize(`${path}-wal`) <= SMALL_MAX_BYTES)
    return runHere(name, path, limit);
  return runApart(name, path, { signal: AbortSignal.any([...limit.signals]) });
}

/** About 2,000 chunks. Rebuilding their index takes 0.25 s; starting another process takes 0.1 s. */
const SMALL_MAX_BYTES = 8 * 1024 * 1024;

/** When to stop a task. */
interface TaskLimit {
  readonly signal: AbortSignal;
  /** Default: depends on the size of the database. */
  readonly limitMs?: number | undefined;
}

/**
 * Runs a statement in another process, for a database whose pages may be malicious.
 * @throws the error of the process, or KnowledgeError `not_readable` if it takes too long
 */
export async function runApart<Name extends keyof LongStatements>(
  name: Name,
  path: string,
  { signal, limitMs }: TaskLimit,
): Promise<ReturnType<LongStatements[Name]>> {
  const result = await awaitResult({ kind: 'statement', name, path }, signal, limitMs);
  return result as ReturnType<LongStatements[Name]>;
}

/** Runs a task in another process; the caller says what type it returns. Throws like `runApart`. */
export function runTask<T>(task: Task): Promise<T> {
  return awaitResult(task, new AbortController().signal) as Promise<T>;
}

/** Adopts a database in another process. Undefined if the database has been replaced since. Throws like `runApart`. */
export async function adoptApart(
  target: AdoptionTarget,
  signal: AbortSignal,
): Promise<Adoption | undefined> {
  return (await awaitResult({ kind: 'adopt', target }, signal)) as Adoption | undefined;
}

async function awaitResult(
  task: Task,
  signal: AbortSignal,
  limitMs = defaultLimitMs('path' in task ? task.path : task.target.path),
): Promise<unknown> {
  const time = AbortSignal.timeout(limitMs);
  const ending = AbortSignal.any([signal, time]);
  if (ending.aborted) throw processEnded();
  const child = fork(FILE, {
    execArgv: extname(FILE) === '.ts' ? ['--import', 'tsx'] : [],
    serialization: 'advanced',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const over = new AbortController();
  const events = { signal: AbortSignal.any([over.signal, ending]) };
  try {
    child.send(task);
    const exited = once(child, 'exit', events).then(() => {
      throw processEnded();
    });
    const message: Message = (await Promise.race([once(child, 'message', events), exited]))[0];
    if (message.kind === 'failure') throw errorFrom(message);
    return message.value;
  } catch (error) {
    if (time.aborted) throw tooSlow();
    throw signal.aborted ? processEnded() : error;
  } finally {
    over.abort();
    child.kill('SIGKILL');
  }
}

/** Generous for any ordinary database of its size. */
function defaultLimitMs(path: string): number {
  return 60_000 + Math.ceil((readSize(path) + readSize(`${path}-wal`)) / 1_000);
}

/** The script of the process, in the same folder as this file, compiled or not. */
const FILE = fileURLToPath(
  new URL(`./serve-tasks${extname(fileURLToPath(import.meta.url))}`, import.meta.url),
);

/** Recreates an error that was thrown in the process. */
function errorFrom({ message, code }: Message & { readonly kind: 'failure' }): Error {
  if (/^SQLITE_/.test(code)) return new (sqliteDriver().SqliteError)(message, code);
  if (isErrorCode(code)) return new KnowledgeError(code, message);
  return Object.assign(new Error(message), { code });
}

function tooSlow(): KnowledgeError {
  return new KnowledgeError(
    'not_readable',
    'Reading the database takes too long; check the file with the program that made it.',
  );
}

function processEnded(): KnowledgeError {
  return new KnowledgeError(
    'store_unavailable',
    'The process that worked on the database ended unexpectedly; try again.',
  );
}
