/** Entry point of a thread of a worker process, which kills the process if that outlives the service by some seconds. */
import { workerData } from 'node:worker_threads';

const LOOK_EVERY_MS = 1_000;
/** As long as a worker may take to stop while the service is there. */
const END_PATIENCE_MS = 4_000;

const watch = setInterval(() => {
  if (process.ppid === workerData) return;
  clearInterval(watch);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), END_PATIENCE_MS);
}, LOOK_EVERY_MS);
