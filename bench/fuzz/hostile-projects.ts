import type { FuzzFamily, FuzzOptions } from './family.js';
import { carelessCheckout } from './hostile/careless-checkout.js';
import { HostileRun } from './hostile/hostile-run.js';
import { TestedService } from './hostile/tested-service.js';

/** Among so many projects, a careless service meets one that it cannot stand. */
const CONTROLS = 8;

/** B7: projects that want to do harm cost at most their own answers. */
export const hostileProjects: FuzzFamily = {
  name: 'hostile',
  title: 'B7 hostile projects',
  defaultRuns: 1000,
  run,
  async negativeControl(options) {
    const careless = carelessCheckout();
    try {
      await run({ ...options, runs: CONTROLS, checkout: careless.path });
    } finally {
      careless.remove();
    }
  },
};

async function run(options: FuzzOptions): Promise<readonly string[]> {
  const run = await HostileRun.make(options, (site) => TestedService.start(site, options.checkout));
  const notes = await run.run();
  if (run.failures.length > 0) throw new Error([...run.failures, ...notes].join('\n'));
  return notes;
}
