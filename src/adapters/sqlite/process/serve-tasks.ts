import { once } from 'node:events';
import { errorReason, systemErrorCode } from '../../../domain/errors.js';
import { adopt, convert } from '../adoption/adopt.js';
import { openFile } from '../database/connection.js';
import { lockLimit } from '../database/statements.js';
import { findChunks } from '../keyword/sqlite-keyword-index.js';
import type { Message, Task } from './database-process.js';
import { onOwnConnection, runHere } from './long-statements.js';

// Does one task for the parent process, and ends when the parent disconnects.
process.once('disconnect', () => process.exit());
const task: Task = (await once(process, 'message'))[0];
try {
  send({ kind: 'result', value: await carryOut(task) });
} catch (error) {
  send({ kind: 'failure', message: errorReason(error), code: systemErrorCode(error) });
}

async function carryOut(task: Task): Promise<unknown> {
  if (task.kind === 'statement') return runHere(task.name, task.path, lockLimit());
  if (task.kind === 'search') {
    const { path, query } = task;
    return onOwnConnection(
      () => openFile(path),
      lockLimit(),
      (db) => findChunks(db, query),
    );
  }
  return task.kind === 'adopt' ? adopt(task.target) : convert(task.target);
}

function send(message: Message): void {
  process.send?.(message);
}
