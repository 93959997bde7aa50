import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createKnowledgeStore } from '../../dist/index.js';
import { directoryOfRealModel } from '../../test/support/running-service.js';
import { loadRealEmbedder } from '../quality/real-embedder.js';
import { type Documents, openDocuments } from './projects.js';

/** A question asked by a person. */
interface Question {
  /** Constants are tuned on `tune`; `unseen` is evaluated once per release. */
  readonly half: 'tune' | 'unseen';
  /** `words`: shares words with its answer. `none shared`: shares none. `none`: has no answer. */
  readonly kind: 'words' | 'none shared' | 'none';
  readonly question: string;
  /** The question in the words of a document. Its author knew the answer, so results with it are an upper bound. */
  readonly also?: string;
  /** Text that the right chunk contains, or `none`. */
  readonly expect: string;
}

interface Asked extends Question {
  /** Rank of the right chunk among all results, from 1; undefined if it was not found. */
  readonly rank: number | undefined;
  /** Whether the rule for weak results hides the right chunk. */
  readonly isHidden: boolean;
  readonly best: number;
}

/**
 * Asks people's questions about the documents they were written for, embedding the questions with the real model. Run
 * `npm run build` first, because the worker thread of a reranker runs compiled code.
 */
const FILES: Readonly<Record<string, Documents>> = {
  aiom: { set: 'lessons-aiom' },
  'cookbook-docs': { set: 'cookbook-docs' },
  'cookbook-docs-later': { set: 'cookbook-docs' },
  powershell: { folder: 'powershell' },
  react: { folder: 'react' },
};

const HERE = fileURLToPath(new URL('.', import.meta.url));
const EVERYTHING = { maxResults: 100, maxTokens: 1_000_000 };
const HALVES = ['tune', 'unseen'] as const;

const { values: options } = parseArgs({
  options: {
    files: { type: 'string' },
    half: { type: 'string' },
    /** A local cross-encoder in `../shared/models`, such as `Xenova/ms-marco-MiniLM-L-12-v2`. */
    reranker: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
for (const file of options.files?.split(',') ?? Object.keys(FILES)) await runFile(file);

async function runFile(file: string): Promise<void> {
  const documents = FILES[file];
  if (documents === undefined) throw new Error(`There is no file ${file}.json.`);
  const opened = await openDocuments(documents);
  if (opened === undefined) return print(`${file}: its folder is missing (bench/README.md)`);
  const all = readQuestions(file);
  try {
    for (const half of HALVES.filter((one) => (options.half ?? one) === one)) {
      const questions = all.filter((one) => one.half === half);
      print(`${file}, ${half}: ${summary(await askAll(opened.path, questions))}`);
      const worded = questions.filter(({ also }) => also !== undefined);
      if (worded.length === 0) continue;
      print(`${file}, ${half}, also: ${summary(await askAll(opened.path, worded, 'also'))}`);
    }
  } finally {
    opened.remove();
  }
}

function readQuestions(file: string): readonly Question[] {
  return JSON.parse(readFileSync(join(HERE, `${file}.json`), 'utf8'));
}

async function askAll(
  path: string,
  questions: readonly Question[],
  words: 'question' | 'also' = 'question',
): Promise<readonly Asked[]> {
  const { store, stop } = createKnowledgeStore({
    variant: 'hybrid',
    logger: 'silent',
    backends: { embedder: await loadRealEmbedder() },
    reranker: options.reranker,
    dataDir: directoryOfRealModel(),
  });
  const asked: Asked[] = [];
  try {
    for (const one of questions) {
      const isRight = ({ chunk }: { readonly chunk: { heading?: string; content: string } }) =>
        `${chunk.heading ?? ''}\n${chunk.content}`.toLowerCase().includes(one.expect.toLowerCase());
      const also = words === 'also' && one.also !== undefined ? { also: one.also } : {};
      const find = (more: object) => store.find(path, one.question, { ...also, ...more });
      const all = (await find({ ...EVERYTHING, all: true })).results;
      const place = one.expect === 'none' ? -1 : all.findIndex(isRight);
      const shown = (await find(EVERYTHING)).results;
      const found = {
        ...one,
        rank: place === -1 ? undefined : place + 1,
        isHidden: place !== -1 && place < 5 && !shown.some(isRight),
        best: Math.max(0, ...all.map(({ relevance = 0 }) => relevance)),
      };
      asked.push(found);
      if (options.verbose) print(`  ${found.rank ?? '-'} ${found.best.toFixed(2)} ${one.question}`);
    }
  } finally {
    await stop();
  }
  return asked;
}

function summary(asked: readonly Asked[]): string {
  const answerable = asked.filter(({ kind }) => kind !== 'none');
  const unanswerable = asked.filter(({ kind }) => kind === 'none');
  const within = (places: number) => answerable.filter(({ rank = 1000 }) => rank <= places);
  const isAnswered = ({ best }: Asked) => best >= 0.5;
  return [
    `first ${within(1).length}, within five ${within(5).length} of ${answerable.length}`,
    `hidden ${answerable.filter(({ isHidden }) => isHidden).length}`,
    `answered of those within five ${within(5).filter(isAnswered).length}`,
    `answered though unanswerable ${unanswerable.filter(isAnswered).length} of ${unanswerable.length}`,
  ].join('; ');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
