import { LATE_MS, TICK_MS } from './limits.js';
import type { ProjectBlame } from './project-blame.js';
import { isRead } from './routing.js';
import type { WorkerProcess } from './worker-process.js';

/**
 * Takes back what a silent worker has of other projects than the one that it is stuck in: reads, and writes that it has
 * not read, and will refuse as late.
 */
export function takeBackOthers(worker: WorkerProcess, blame: ProjectBlame, now: number): void {
  const stuckIn = worker.currentWork()?.path;
  for (const call of worker.calls) {
    if (blame.pathOf(call.project) === stuckIn) continue;
    const isUnread = !call.hasBegun && now - call.sentAt > LATE_MS + TICK_MS;
    if (isRead(call) || isUnread) worker.takeBack(call);
  }
}
