import type { FaultFamily } from './family.js';
export const sidecars: FaultFamily = {
  name: 'F11',
  title: '',
  defaultRounds: 0,
  run: async () => ({ rounds: 0, acknowledged: 0, lost: 0, wrong: [], notes: [] }),
  negativeControl: async () => [],
};
