/**
 * How well words find pages of a folder of documentation, which is ingested as it is: pages ranked by their best chunk, with graded
 * judgments. Usage: npx tsx bench/quality/pages.ts <folder with queries.jsonl and qrels.tsv>
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ingest, removeFolder, temporaryFolder } from './bench-project.js';
import { readLines } from './collection.js';
import { discount, recall } from './metrics.js';
import { startService } from './service.js';
import { meanWithInterval } from './statistics.js';

const LIMITS = { maxResults: 200, maxTokens: 1_000_000 };
const DEPTH = 5;

const [, , folder = ''] = process.argv;
const queries = readLines<{ readonly _id: string; readonly text: string }>(
  join(folder, 'queries.jsonl'),
);
const grades = new Map<string, Map<string, number>>();
for (const line of readFileSync(join(folder, 'qrels.tsv'), 'utf8').trim().split('\n').slice(1)) {
  const [query = '', page = '', grade = '0'] = line.split('\t');
  grades.set(query, (grades.get(query) ?? new Map()).set(page, Number(grade)));
}

const project = temporaryFolder();
for (const entry of readdirSync(folder, { withFileTypes: true }))
  if (entry.isDirectory())
    cpSync(join(folder, entry.name), join(project, entry.name), { recursive: true });
await ingest(project);
const { store, stop } = startService('hybrid');
const scores: { readonly ndcg: number; readonly first: number; readonly recall: number }[] = [];
try {
  for (const { _id: id, text } of queries) {
    const { results } = await store.search(project, text, LIMITS);
    const pages = [...new Set(results.map(({ chunk }) => chunk.sourceFile))];
    scores.push(judged(id, text, pages));
  }
} finally {
  await stop();
  removeFolder(project);
}
for (const name of ['ndcg', 'recall', 'first'] as const)
  console.log(`${name}@${DEPTH}`, meanWithInterval(scores.map((score) => score[name])));

function judged(id: string, text: string, pages: readonly string[]) {
  const graded = grades.get(id) ?? new Map<string, number>();
  const gains = pages.slice(0, DEPTH).map((page) => 2 ** (graded.get(page) ?? 0) - 1);
  const ideal = [...graded.values()].toSorted((a, b) => b - a).slice(0, DEPTH);
  const ndcg = discounted(gains) / discounted(ideal.map((grade) => 2 ** grade - 1));
  const ranks = [...graded.keys()].map((page) => `${page} ${pages.indexOf(page) + 1}`);
  console.log(`${ndcg.toFixed(2)}  ${text}  ${ranks.join(', ')}`);
  const judgedPages = new Set(graded.keys());
  return {
    ndcg,
    recall: recall(pages, judgedPages, DEPTH),
    first: graded.has(pages[0] ?? '') ? 1 : 0,
  };
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain * discount(index + 1), 0);
}
