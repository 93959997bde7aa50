const { spawn } = require('node:child_process');

/** Shows what a compiler prints only if it fails, since hundreds of lines look like errors. Every 30 s one line shows progress. */
module.exports = function runQuietly(command, args, options = {}) {
  const { print = (text) => process.stderr.write(text), everyMs = 30_000 } = options;
  const output = [];
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
  const timer = setInterval(() => print(`Still compiling SQLite (${seconds()} s).\n`), everyMs);

  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      clearInterval(timer);
      if (status === 0) print(`SQLite is compiled (${seconds()} s).\n`);
      else print(`${Buffer.concat(output)}\nSQLite could not be compiled.\n`);
      resolve(status ?? 1);
    });
  });
};
