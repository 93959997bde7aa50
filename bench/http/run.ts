import { existsSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tempDirectory } from '../../test/support/temp-project.js';
import { LoadClient } from '../load/load-client.js';
import { textsOf } from '../speed/search/large-project.js';
import { contendersOf } from './contenders.js';
import { firstIndexing, type Measurement } from './measurement.js';
import { searches } from './searches.js';

const HELP = `What a user waits for: searches over HTTP and the first indexing, by this checkout and, in turn, an older one.

npm run bench:http -- --archive <archive of markdown files, .tar.gz> [options]

  --against <commit or built folder>   measured in turn; a commit is built in a temporary worktree
  --sizes 893,10000,100000             chunks of the projects
  --seconds 1                          of each load, 3 rounds of which are measured
  --environment NAME=value,…           of all services, such as KNOWLEDGE_WORKERS=0
  --cache <folder>                     where the texts of the archive are kept
`;

const { values } = parseArgs({
  options: {
    archive: { type: 'string' },
    against: { type: 'string' },
    sizes: { type: 'string', default: '893,10000,100000' },
    seconds: { type: 'string', default: '1' },
    environment: { type: 'string', default: '' },
    cache: { type: 'string', default: join(tmpdir(), 'knowledge-store-bench') },
    help: { type: 'boolean', default: false },
  },
});
const { archive, cache } = values;
if (values.help || archive === undefined) {
  process.stderr.write(HELP);
  process.exit(values.help ? 0 : 2);
}
if (!existsSync(archive)) {
  process.stderr.write(`SKIPPED: there is no archive at ${archive}.\n`);
  process.exit(0);
}
const pairs = values.environment.split(',').filter((pair) => pair.includes('='));
const environment = Object.fromEntries(pairs.map((pair) => pair.split('=', 2)));
const { contenders, removeBuilt } = contendersOf(values.against, environment);
const measurement: Measurement = {
  contenders,
  folder: tempDirectory('bench-http-'),
  client: new LoadClient(),
  poller: new LoadClient(),
  rounds: 3,
  seconds: Number(values.seconds),
};
try {
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`;
  print(`${machine}, load ${loadavg()[0]?.toFixed(1)}`);
  print(await firstIndexing(measurement, archive));
  const texts = await textsOf(archive, cache);
  for (const size of values.sizes.split(',')) {
    for await (const table of searches(measurement, texts, Number(size))) print(table);
  }
} finally {
  measurement.client.stop();
  measurement.poller.stop();
  rmSync(measurement.folder, { recursive: true, force: true });
  removeBuilt();
}

function print(text: string): void {
  process.stdout.write(`${text}\n\n`);
}
