import type { FaultFamily } from './family.js';
export const fullDisk: FaultFamily = {
  name: 'F7',
  title: '',
  defaultRounds: 0,
  run: async () => ({ rounds: 0, acknowledged: 0, lost: 0, wrong: [], notes: [] }),
  negativeControl: async () => [],
};
