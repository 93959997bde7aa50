import { join } from 'node:path';
import Database from 'better-sqlite3';
import { wantedTermsOf } from '../../../src/domain/query/expression.js';
import { inTurn, megabytes, ms, p50p99, processorMs, ratio } from '../measuring.js';
import type { Part } from '../part.js';
import { APP_DIR, largeProject, openStores, textsOf } from '../search/large-project.js';
import { MemoryPostings } from '../search/memory-postings.js';
import { frequentWords, QUERY_CLASSES } from '../search/query-classes.js';

/** Exact BM25 over postings in memory, which is the floor, and with the chunks read, next to the keyword index. */
export const postings: Part = async ({ archive, cache, chunks, queries }) => {
  const texts = await textsOf(archive, cache);
  const project = await largeProject(cache, texts, chunks);
  const stores = openStores();
  const { keywords } = await stores.open(project);
  const db = new Database(join(project, APP_DIR, 'knowledge.db'), { readonly: true });
  let index: MemoryPostings | undefined;
  const buildMs = await processorMs(() => {
    index = new MemoryPostings(db);
  });
  if (index === undefined) return [];
  const inMemory = index;
  const words = frequentWords(
    texts.map(({ content }) => content),
    1,
  );
  const tokens = tokenizer();
  const read = db.prepare(
    'SELECT c.* FROM json_each(?) j JOIN chunks c ON c.rowid = j.value ORDER BY j.key',
  );
  const rows: (readonly string[])[] = [];
  for (const name of WORD_CLASSES) {
    const [search, floor, whole]: [number[], number[], number[]] = [[], [], []];
    let same = 0;
    for (let number = 0; number < queries; number += 1) {
      const expression = QUERY_CLASSES[name]?.(words)?.expression;
      if (expression === undefined) continue;
      const terms = wantedTermsOf(expression).flatMap(({ text }) => tokens(text));
      const every = expression.kind === 'terms';
      const inPostings = () => inMemory.search(terms, every, LIMIT);
      const times = await inTurn({
        search: () => keywords.search(expression, { sourceTypes: 'all' }, LIMIT),
        floor: inPostings,
        whole: () => read.all(JSON.stringify(inPostings().map(({ row }) => row))),
      });
      const found = await keywords.search(expression, { sourceTypes: 'all' }, LIMIT);
      const scores = inPostings();
      const isSame = found.every(
        ({ score }, at) => Math.abs(score - (scores[at]?.score ?? 0)) < 1e-9,
      );
      if (isSame && found.length === scores.length) same += 1;
      search.push(times.search);
      floor.push(times.floor);
      whole.push(times.whole);
    }
    const ratios = [ratio(search, floor), ratio(search, whole)];
    const sameOf = `${same} of ${search.length}`;
    rows.push([name, p50p99(search), p50p99(floor), p50p99(whole), ...ratios, sameOf]);
  }
  db.close();
  await stores.close();
  const cost = `built in ${ms(buildMs)} ms, ${megabytes(inMemory.bytes)} MB of postings`;
  const head = [
    'class',
    'search, processor ms, p50 / p99',
    'postings',
    'postings, chunks read',
    'search to postings',
    'search to both',
    'same scores',
  ];
  return [{ title: `Postings in memory: ${cost}`, head, rows }];
};

const LIMIT = 50;
const WORD_CLASSES = [
  'rare word',
  'common word',
  'stop word',
  '3-word AND',
  '8-word OR',
  '30-word prose',
];

/** What FTS5 makes of a word. */
function tokenizer(): (text: string) => readonly string[] {
  const db = new Database(':memory:');
  db.exec("CREATE VIRTUAL TABLE words USING fts5(text, tokenize='porter unicode61')");
  db.exec("CREATE VIRTUAL TABLE terms USING fts5vocab('words', 'instance')");
  const add = db.prepare('INSERT INTO words VALUES (?)');
  const terms = db.prepare<[], string>('SELECT term FROM terms ORDER BY offset').pluck();
  return (text) => {
    db.exec('DELETE FROM words');
    add.run(text);
    return terms.all();
  };
}
