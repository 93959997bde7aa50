/**
 * Loaded by `NODE_OPTIONS=--require`. In each process of the service that handles requests, appends the largest delay
 * of the event loop, in milliseconds, to a file in the folder `BENCH_DELAYS`, four times a second. Processes that only
 * run long statements do not count.
 */
const { isWorker } = require('node:cluster');
const { appendFileSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const isOfService = isWorker || /[/\\]main\.js$/.test(process.argv[1] ?? '');
if (process.env.BENCH_DELAYS && isOfService) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  setInterval(() => {
    const ms = delay.max / 1e6;
    delay.reset();
    if (ms > 20) appendFileSync(`${process.env.BENCH_DELAYS}/${process.pid}`, `${ms.toFixed(0)}\n`);
  }, 250).unref();
}
