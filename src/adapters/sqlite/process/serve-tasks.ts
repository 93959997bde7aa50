import { once } from 'node:events';
import { reasonOf, systemErrorCode } from '../../../domain/errors.js';
import { adopt } from '../adoption/adopt.js';
import { readBatches } from '../adoption/read-batches.js';
import { lockLimit } from '../database/statements.js';
import type { Message, Task } from './database-process.js';
import { runHere } from './long-statements.js';

// Does one task for the process that has started this one, and ends with it.
process.once('disconnect', () => process.exit());
const [task] = (await once(process, 'message')) as [Task];
try {
  await send({ kind: 'result', value: await resultOf(task) });
} catch (error) {
  await send({ kind: 'failure', message: reasonOf(error), code: systemErrorCode(error) });
}

async function resultOf(task: Task): Promise<unknown> {
  if (task.kind === 'statement') return runHere(task.name, task.path, lockLimit());
  const steps = task.kind === 'read' ? readBatches(task) : adopt(task.target);
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value;
    await send({ kind: 'step', value });
  }
}

/** Resolves once the message was taken; nothing is sent ahead. */
async function send(message: Message): Promise<void> {
  const taken = once(process, 'message');
  process.send?.(message);
  await taken;
}
