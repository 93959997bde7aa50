import { once } from 'node:events';
import { reasonOf, systemErrorCode } from '../../../domain/errors.js';
import { adopt } from '../adoption/adopt.js';
import { readBatches } from '../adoption/read-batches.js';
import { openFile } from '../database/connection.js';
import { lockDeadline, retryWhileBusy } from '../database/statements.js';
import type { Message, Task } from './database-process.js';
import { STATEMENTS } from './long-statements.js';

// Does one task for the process that has started this one, and ends with it.
process.once('disconnect', () => process.exit());
const [task] = (await once(process, 'message')) as [Task];
try {
  for await (const message of messagesOf(task)) await send(message);
} catch (error) {
  await send({ kind: 'failure', message: reasonOf(error), code: systemErrorCode(error) });
}

async function* messagesOf(task: Task): AsyncGenerator<Message> {
  if (task.kind === 'statement') {
    yield { kind: 'result', value: await runStatement(task) };
  } else if (task.kind === 'read') {
    for (const batch of readBatches(task)) yield { kind: 'batch', batch };
    yield { kind: 'result', value: undefined };
  } else {
    const adoption = adopt(task.target);
    let step = await adoption.next();
    for (; !step.done; step = await adoption.next()) yield { kind: 'progress' };
    yield { kind: 'result', value: step.value };
  }
}

async function runStatement({ name, path }: Task & { kind: 'statement' }): Promise<unknown> {
  const db = openFile(path);
  try {
    const limit = { deadline: lockDeadline(), signals: [] };
    return await retryWhileBusy(() => STATEMENTS[name](db), limit);
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
