import { join } from 'node:path';
import { openDatabase } from '../../../src/adapters/sqlite/database/driver.js';
import { type Expression, wantedTerms } from '../../../src/domain/query/expression.js';
import { inTurn, processorMs } from '../measuring.js';
import { APP_DIR, largeProject, openStores, type Text, textsOf } from '../search/large-project.js';
import { frequentWords, QUERY_CLASSES } from '../search/query-classes.js';
import { PEERS, type WordQuery } from './engines.js';

/** The cost of building an engine, and the times of its searches and the product's. */
export interface PeerReport {
  readonly name: string;
  readonly buildMs: number;
  /** How much the memory of the process grew. */
  readonly megabytes: number;
  readonly classes: readonly {
    readonly query: string;
    readonly peer: readonly number[];
    readonly search: readonly number[];
  }[];
}

/** Runs as a process of its own: builds one engine over all chunks of the project, and prints a report as JSON. */
const [name = '', archive = '', cache = '', chunks = '', queries = ''] = process.argv.slice(2);
const contents = (await textsOf(archive, cache)).map(({ content }) => content);
const project = await largeProject(cache, [], Number(chunks));
const texts = textsIn(project);
const stores = openStores();
const { keywords } = await stores.open(project);
const before = memory();
let engine = async (_: WordQuery): Promise<unknown> => undefined;
const buildMs = await processorMs(async () => {
  const built = await PEERS[name]?.(texts);
  if (built !== undefined) engine = async (query) => built(query);
});
const megabytes = memory() - before;
const words = frequentWords(contents, 1);
const WARM_UPS = 300;
await warmUp();
const classes: PeerReport['classes'][number][] = [];
for (const [query, make] of Object.entries(QUERY_CLASSES)) {
  const [peer, search]: [number[], number[]] = [[], []];
  for (let number = 0; number < Number(queries); number += 1) {
    const made = make(words);
    if (made === undefined) continue;
    const asked = wordsOf(made.expression);
    const isOffered = (await engine(asked)) !== undefined;
    const all = { sourceTypes: 'all' } as const;
    const times = await inTurn({
      peer: () => (isOffered ? engine(asked) : undefined),
      search: () => keywords.search({ expression: made.expression, filter: all, limit: 50 }),
    });
    if (isOffered) peer.push(times.peer);
    search.push(times.search);
  }
  classes.push({ query, peer, search });
}
await stores.close();
const report: PeerReport = { name, buildMs, megabytes, classes };
process.stdout.write(`\n${JSON.stringify(report)}\n`);
process.exit(0);

/** Makes V8 compile the code first, which would otherwise slow down the first class. */
async function warmUp(): Promise<void> {
  const { expression } = QUERY_CLASSES['rare word']?.(words) ?? {};
  if (expression === undefined) return;
  for (let count = 0; count < WARM_UPS; count += 1) {
    await engine(wordsOf(expression));
    await keywords.search({ expression, filter: { sourceTypes: 'all' }, limit: 50 });
  }
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 2 ** 20;
}

function textsIn(from: string): readonly Text[] {
  const db = openDatabase(join(from, APP_DIR, 'knowledge.db'), { readonly: true });
  const rows = db.prepare<[], Text>('SELECT heading, content FROM chunks ORDER BY rowid').all();
  db.close();
  return rows;
}

/** The words of a class's expression, which is a list of terms, or any of several. */
function wordsOf(expression: Expression): WordQuery {
  const terms = wantedTerms(expression);
  const isPhrase = terms.some(({ text }) => text.includes(' '));
  const kind = terms.some(({ prefix }) => prefix) ? 'prefix' : isPhrase ? 'phrase' : 'words';
  const words = terms.flatMap(({ text }) => text.split(' '));
  return { words, every: expression.kind === 'terms', kind };
}
