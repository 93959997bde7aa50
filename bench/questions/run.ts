import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillProject } from '../quality/bench-project.js';
import { readCollection } from '../quality/collection.js';
import { loadRealEmbedder } from '../quality/real-embedder.js';
import { startService } from '../quality/service.js';

/** A question of a person. */
interface Question {
  /** Constants are chosen on `tune`; `unseen` is looked at once a release. */
  readonly half: 'tune' | 'unseen';
  /** `words`: shares words with its answer. `none`: has no answer. */
  readonly kind: 'words' | 'none shared' | 'none';
  readonly question: string;
  /** A text that the right chunk contains, or `none`. */
  readonly expect: string;
}

interface Asked extends Question {
  /** Place of the right chunk among all results, from 1; undefined if it is not there. */
  readonly rank: number | undefined;
  /** Whether the rule for weak results leaves the right chunk out. */
  readonly isHidden: boolean;
  readonly best: number;
}

/** Asks the questions of people over the documents that they were written for, with the real model for the questions. */
const SETS = { aiom: 'lessons-aiom', 'cookbook-docs': 'cookbook-docs' } as const;

const DATA = fileURLToPath(new URL('../../../shared/quality', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
const EVERYTHING = { maxResults: 100, maxTokens: 1_000_000 };

for (const [file, set] of Object.entries(SETS)) {
  const questions: readonly Question[] = JSON.parse(
    readFileSync(join(HERE, `${file}.json`), 'utf8'),
  );
  const asked = await askAll(set, questions);
  for (const half of ['tune', 'unseen'] as const) {
    process.stdout.write(
      `${file}, ${half}: ${summary(asked.filter((one) => one.half === half))}\n`,
    );
  }
}

async function askAll(set: string, questions: readonly Question[]): Promise<readonly Asked[]> {
  const settings = { queryVectorTimeoutMs: 60_000 };
  const project = await fillProject(readCollection(DATA, set), { settings });
  const { store, stop } = startService('hybrid', await loadRealEmbedder());
  const asked: Asked[] = [];
  try {
    for (const one of questions) {
      const isRight = ({ chunk }: { readonly chunk: { heading?: string; content: string } }) =>
        `${chunk.heading ?? ''}\n${chunk.content}`.toLowerCase().includes(one.expect.toLowerCase());
      const find = (options: object) => store.find(project.path, one.question, options);
      const all = (await find({ ...EVERYTHING, all: true })).results;
      const place = one.expect === 'none' ? -1 : all.findIndex(isRight);
      const shown = (await find(EVERYTHING)).results;
      asked.push({
        ...one,
        rank: place === -1 ? undefined : place + 1,
        isHidden: place !== -1 && place < 5 && !shown.some(isRight),
        best: Math.max(0, ...all.map(({ relevance = 0 }) => relevance)),
      });
    }
  } finally {
    await stop();
    project.remove();
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
