/**
 * Loaded by `NODE_OPTIONS=--require`. When a worker gets SIGUSR2, it loops forever or uses up memory, as `MISBEHAVIOUR`
 * says. With `exit` it ends as soon as it starts.
 */
const { isWorker } = require('node:cluster');

const eaten = [];
const MISBEHAVIOURS = {
  loop: () => {
    for (;;);
  },
  eat: () => setInterval(() => eaten.push(Buffer.alloc(2 ** 25, 1)), 1),
};

if (isWorker && process.env.MISBEHAVIOUR === 'exit') process.exit(3);
if (isWorker) process.on('SIGUSR2', () => MISBEHAVIOURS[process.env.MISBEHAVIOUR]?.());
