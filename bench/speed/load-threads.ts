/** Asks for `/health` again and again, until it is told to stop; its message is a list of times in ms. */
export const POLL_HEALTH = `
  const { parentPort, workerData } = require('node:worker_threads');
  let times = [];
  let isOver = false;
  parentPort.once('message', () => { isOver = true; });
  (async () => {
    while (!isOver) {
      const start = performance.now();
      await (await fetch(workerData)).text();
      times.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    parentPort.postMessage(times);
  })();
`;

/** Searches over some connections for some time; its message is how many searches were answered. */
export const SEARCH = `
  const { parentPort, workerData: { url, project, connections, ms } } = require('node:worker_threads');
  const end = performance.now() + ms;
  let done = 0;
  let number = 0;
  const work = async () => {
    while (performance.now() < end) {
      number += 1;
      const word = (most) => 'w' + (number * 7919 % most).toString(36);
      const query = [word(20), word(60), word(200), word(2000)].join(' ');
      const body = JSON.stringify({ projectPath: project, query, maxResults: 10 });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url + '/api/knowledge/search', { method: 'POST', headers, body });
      await response.text();
      if (response.status === 200) done += 1;
    }
  };
  Promise.all(Array.from({ length: connections }, work)).then(() => parentPort.postMessage(done));
`;
