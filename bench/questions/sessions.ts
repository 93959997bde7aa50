import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { normalize, type Vector } from '../../src/domain/ranking/vector.js';
import { fillProject } from '../quality/bench-project.js';
import { type CorpusDocument, readCollection } from '../quality/collection.js';
import { loadRealEmbedder } from '../quality/real-embedder.js';
import { startService } from '../quality/service.js';
import { generator } from '../quality/statistics.js';

/**
 * Asks people's questions about the lessons of the real project in `../shared`, adds sessions about the same subjects,
 * and asks again. Prints the rank of each answer before and after, and the first results that changed. Derives the
 * vectors of sessions from those of their subjects, because embedding them would take an hour.
 */
const { values: options } = parseArgs({ options: { chunks: { type: 'string', default: '5000' } } });

const DATA = fileURLToPath(new URL('../../../shared/quality', import.meta.url));
const QUESTIONS = fileURLToPath(new URL('aiom.json', import.meta.url));

interface Question {
  readonly question: string;
  /** Text that the right chunk contains, or `none`. */
  readonly expect: string;
}

interface Asked extends Question {
  /** Id and relevance of the first result. */
  readonly first: string;
  readonly shown: string;
  /** Rank of the right chunk among all results, from 1; undefined if it was not found. */
  readonly rank: number | undefined;
}

const PROMPTS = [
  (title: string) => `How does this work: ${title}?`,
  (title: string) => `Please continue with ${title}.`,
  (title: string) => `What did we decide about ${title}, and why?`,
  (title: string) => `There is a bug, can you look at it? ${title}`,
  (title: string) => `Add tests for ${title}`,
] as const;

const collection = readCollection(DATA, 'lessons-aiom');
const sessions = makeSessions(collection.documents, Number(options.chunks));
const before = await askAll(collection.documents);
const after = await askAll([...collection.documents, ...sessions]);

for (const [i, { question, rank, first, shown }] of before.entries()) {
  const now = after[i];
  const isSame = first === now?.first;
  print(`${isSame ? ' ' : '*'} ${rank ?? '-'} -> ${now?.rank ?? '-'}  ${question}`);
  if (!isSame) print(`      ${shown}\n      ${now?.shown}`);
}
const changed = before.filter(({ first }, i) => first !== after[i]?.first).length;
const inSessions = after.filter(({ first }) => first.startsWith('session-')).length;
print(`first results changed: ${changed} of ${before.length}, of them sessions: ${inSessions}`);

async function askAll(documents: readonly CorpusDocument[]): Promise<readonly Asked[]> {
  const settings = { queryVectorTimeoutMs: 60_000 };
  const { path, remove } = await fillProject({ ...collection, documents }, { settings });
  const { store, stop } = startService('hybrid', await loadRealEmbedder());
  const questions: readonly Question[] = JSON.parse(readFileSync(QUESTIONS, 'utf8'));
  const asked: Asked[] = [];
  try {
    for (const { question, expect } of questions) {
      const wanted = { all: true, maxResults: 100, maxTokens: 1_000_000 };
      const { results } = await store.find(path, question, wanted);
      const texts = results.map(({ chunk }) => `${chunk.heading ?? ''}\n${chunk.content}`);
      const place = texts.findIndex((text) => text.toLowerCase().includes(expect.toLowerCase()));
      const [best] = results;
      const first = best?.chunk.id ?? '';
      const shown = `${first} ${best?.relevance?.toFixed(2)} ${best?.chunk.heading}`;
      asked.push({ question, expect, first, shown, rank: place === -1 ? undefined : place + 1 });
    }
  } finally {
    await stop();
    remove();
  }
  return asked;
}

/**
 * Makes exchanges about each document in turn. Half of the responses quote the document, the others only mention it.
 */
function makeSessions(
  documents: readonly CorpusDocument[],
  count: number,
): readonly CorpusDocument[] {
  const random = generator(59);
  return Array.from({ length: count }, (_, index) => {
    const subject = pick(documents, index * 7);
    const other = pick(documents, Math.floor(random() * documents.length));
    const sentences = subject.text.split(/(?<=[.;])\s+/);
    const from = Math.floor(random() * sentences.length);
    const answer =
      index % 2 === 0
        ? `I looked at it. ${sentences.slice(from, from + 2).join(' ')} The tests pass.`
        : `Done, and all tests pass. I also looked at ${other.title}, which did not change.`;
    const title = pick(PROMPTS, index)(subject.title);
    return {
      id: `session-${index}`,
      path: `.knowledge/sessions/2026-10-01-made-up-${index % 50}.md`,
      title,
      text: `${title}\n\n${answer}`,
      ...blended(subject, other, random),
    };
  });
}

/** A vector with a cosine of about 0.9 to the subject's. */
function blended(
  { vector }: CorpusDocument,
  other: CorpusDocument,
  random: () => number,
): { readonly vector?: Vector } {
  if (vector === undefined) return {};
  const noise = 0.35 / Math.sqrt(vector.length);
  const mixed = vector.map((value, i) => {
    return value + 0.35 * (other.vector?.[i] ?? 0) + noise * gaussian(random);
  });
  const made = normalize(mixed);
  return made === undefined ? {} : { vector: made };
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('There is nothing to pick.');
  return item;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
