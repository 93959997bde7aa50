import { once } from 'node:events';
import { reasonOf, systemErrorCode } from '../../../domain/errors.js';
import { adopt } from '../adoption/adopt.js';
import { readBatches } from '../adoption/read-batches.js';
import { openFile } from '../database/connection.js';
import { lockLimit, retryWhileBusy } from '../database/statements.js';
import type { Message, Task } from './database-process.js';
import { STATEMENTS } from './long-statements.js';

// Does one task for the process that has started this one, and ends with it.
process.once('disconnect', () => process.exit());
const [task] = (await once(process, 'message')) as [Task];
try {
  const steps = stepsOf(task);
  let { done, value } = await steps.next();
  for (; !done; { done, value } = await steps.next()) await send({ kind: 'step', value });
  await send({ kind: 'result', value });
} catch (error) {
  await send({ kind: 'failure', message: reasonOf(error), code: systemErrorCode(error) });
}

function stepsOf(task: Task): Generator<unknown> | AsyncGenerator<unknown> {
  if (task.kind === 'read') return readBatches(task);
  return task.kind === 'adopt' ? adopt(task.target) : resultOf(task);
}

async function* resultOf({ name, path }: Task & { kind: 'statement' }): AsyncGenerator<never> {
  const db = openFile(path);
  try {
    return await retryWhileBusy(() => STATEMENTS[name](db), lockLimit());
  } finally {
    db.close();
  }
}

/** Resolves once the message was taken; nothing is sent ahead. */
async function send(message: Message): Promise<void> {
  const taken = once(process, 'message');
  process.send?.(message);
  await taken;
}
