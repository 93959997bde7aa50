/**
 * Loaded into each thread of a service with NODE_OPTIONS: collects garbage at some moments and notes what is left,
 * so that a leak can be told from garbage that V8 has no reason to collect yet.
 */
const { appendFileSync } = require('node:fs');
const { getHeapStatistics, setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { isMainThread, threadId } = require('node:worker_threads');

const { LIVE_HEAPS_FILE: file, LIVE_HEAPS_AT: moments = '' } = process.env;
const OTHER_THREADS_MS = 2_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

for (const moment of moments.split(',').filter(Boolean).map(Number)) {
  const waitMs = moment - Date.now();
  if (waitMs > 0) setTimeout(() => note(moment), waitMs).unref();
}

function note(moment) {
  collect();
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  append({ moment, threadId, heldBytes: heap + external });
  if (!isMainThread) return;
  setTimeout(() => append({ moment, memoryBytes: process.memoryUsage.rss() }), OTHER_THREADS_MS);
}

function append(line) {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}
