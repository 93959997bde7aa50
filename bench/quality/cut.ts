/**
 * What leaving out irrelevant results costs and gains: precision, recall and number of results of `blend` with `union`, all of them
 * and cut as the command line does. Usage: npx tsx bench/quality/cut.ts <folder of collections> <set> [results]
 */
import { fillProject } from './bench-project.js';
import { readCollection } from './collection.js';
import { recall } from './metrics.js';
import { MODES } from './modes.js';
import { MODEL } from './real-embedder.js';
import { RecordedEmbedder } from './recorded-embedder.js';
import { startService } from './service.js';
import { meanWithInterval } from './statistics.js';

const [, , data = '', name = '', results = '10'] = process.argv;
const set = readCollection(data, name);
const project = await fillProject(set, { headers: 'embedded' });
const { store, stop } = startService('hybrid', new RecordedEmbedder(MODEL, set.queries));
const limits = { maxResults: Number(results), maxTokens: 1_000_000 };
try {
  for (const irrelevant of ['shown', 'hidden'] as const) {
    const scores: { precision: number; recall: number; results: number }[] = [];
    const unanswered: number[] = [];
    for (const { text, relevant } of set.queries) {
      const options = { ...MODES['blend+union'].options, ...limits, irrelevant };
      const found = (await store.search(project.path, text, options)).results;
      if (relevant.size === 0) unanswered.push(found.length);
      else
        scores.push(
          judged(
            found.map(({ chunk }) => chunk.id),
            relevant,
          ),
        );
    }
    console.log(irrelevant, `${scores.length} with an answer, ${unanswered.length} without`);
    for (const metric of ['precision', 'recall', 'results'] as const)
      console.log(`  ${metric} ${meanWithInterval(scores.map((score) => score[metric]))}`);
    if (unanswered.length > 0) console.log(`  without an answer ${meanWithInterval(unanswered)}`);
  }
} finally {
  await stop();
  project.remove();
}

function judged(found: readonly string[], relevant: ReadonlySet<string>) {
  const results = found.length;
  const share = recall(found, relevant, results);
  return { precision: (share * relevant.size) / Math.max(1, results), recall: share, results };
}
