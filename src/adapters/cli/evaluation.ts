import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EvaluatedAnswer, EvaluatedResult } from '../../app/search/evaluation.js';
import { systemErrorCode, systemReason } from '../../domain/errors.js';
import { firstQuestions } from '../../domain/evaluation/first-questions.js';
import { type Answered, measure } from '../../domain/evaluation/measures.js';
import {
  checkQuestions,
  type EvaluationQuestion,
  isMissingFile,
  NO_ANSWER,
  rightAnswer,
} from '../../domain/evaluation/questions.js';
import { formatCount } from '../../domain/figures.js';
import { isDoubtful } from '../../domain/ranking/relevance.js';
import type { Fields, Yaml } from './command-line-parts.js';
import { UsageError } from './exit.js';
import { loadModel } from './model-readiness.js';
import type { Session } from './session.js';
import {
  type EvaluatedQuestion,
  type EvaluationBody,
  evaluationText,
  type ProfileName,
} from './text/evaluation-text.js';
import { printableLine } from './text/format.js';

/** Asks the questions in a file, and prints how well they are answered. */
export async function evaluateFile(session: Session, given: Fields): Promise<void> {
  const minimum = readMinimum(given['minFirst']);
  const file = given['file'];
  if (typeof file !== 'string') {
    throw new UsageError(
      'eval needs a file of questions; "knowledge-store eval --init" writes one.',
    );
  }
  const path = resolve(session.directory, file);
  const questions = readQuestions(path, await session.parts.yaml());
  const empty = await session.emptiness();
  if (empty !== undefined) throw new Error(empty);
  await loadModel(session);
  const body = await evaluateAll(session, questions);
  await session.print(body, (one) => evaluationText(one, session.styles));
  const { first } = body.profiles.reading;
  if (first < minimum) {
    throw new Error(
      `${first} of ${questions.length} questions have their right result first; --min-first requires ${minimum}.`,
    );
  }
}

function readMinimum(value: unknown): number {
  if (value === undefined) return 0;
  if (/^\d{1,6}$/.test(String(value))) return Number(value);
  throw new UsageError('--min-first must be a whole number of at least 0.');
}

/** @throws Error that names the file, and the invalid entry if there is one */
function readQuestions(path: string, { parseYaml }: Yaml): readonly EvaluationQuestion[] {
  try {
    const { size } = statSync(path);
    if (size > FILE_MAX_BYTES) throw new Error('It is larger than a megabyte.');
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    return checkQuestions(path.endsWith('.json') ? JSON.parse(text) : parseYaml(text));
  } catch (error) {
    throw new Error(`${printableLine(path)} cannot be used: ${printableLine(reasonFor(error))}`);
  }
}

const FILE_MAX_BYTES = 1_048_576;

function reasonFor(error: unknown): string {
  const code = systemErrorCode(error);
  if (code === 'ENOENT') return 'There is no such file.';
  if (code === 'EISDIR') return 'It is a folder.';
  return error instanceof Error ? error.message : String(error);
}

async function evaluateAll(
  session: Session,
  questions: readonly EvaluationQuestion[],
): Promise<EvaluationBody> {
  const sources = await listSources(session);
  const judged: Judged[] = [];
  for (const one of questions) {
    if (isMissingFile(one.expect, sources)) {
      session.note(
        `"${one.expect}" is not an indexed file; correct it, or run "knowledge-store ingest".`,
      );
    }
    const answer = await session.operations.askInEveryWay(session.project.path, one.question);
    judged.push(judge(one, answer, rightAnswer(one.expect, sources)));
  }
  if (judged.every(({ mode }) => mode === 'bm25')) {
    session.note(
      'No vectors were compared, so all three rank by words alone; to make vectors, run "knowledge-store ingest --wait".',
    );
  }
  const ofProfile = (name: ProfileName) => measure(judged.map((one) => one[name]));
  return {
    profiles: {
      reading: ofProfile('reading'),
      specified: ofProfile('specified'),
      keywords: ofProfile('keywords'),
    },
    questions: judged.map(({ shown }) => shown),
  };
}

async function listSources(session: Session): Promise<readonly string[]> {
  const { sources } = await session.call('GET /api/knowledge/x/sources');
  return sources.map(({ sourceFile }) => sourceFile);
}

interface Judged extends Readonly<Record<ProfileName, Answered>> {
  readonly mode: EvaluatedAnswer['mode'];
  readonly shown: EvaluatedQuestion;
}

function judge(
  { question, expect }: EvaluationQuestion,
  answer: EvaluatedAnswer,
  isRight: (result: EvaluatedResult) => boolean,
): Judged {
  const isAnswerable = expect.toLowerCase() !== NO_ANSWER;
  const rightRank = (results: readonly EvaluatedResult[]) => {
    const index = isAnswerable ? results.findIndex(isRight) : -1;
    return index < 0 ? undefined : index + 1;
  };
  const judged = (results: readonly EvaluatedResult[]) => ({
    isAnswerable,
    rank: rightRank(results),
    isHidden: false,
    isConfident: isConfident(results),
  });
  const reading = judged(answer.reading);
  const isHidden = reading.rank === undefined && (rightRank(answer.everything) ?? 6) <= 5;
  const at = isAnswerable ? reading.rank : 1;
  const relevance = at === undefined ? undefined : answer.reading[at - 1]?.relevance;
  return {
    mode: answer.mode,
    reading: { ...reading, isHidden },
    specified: judged(answer.specified),
    keywords: judged(answer.keywords),
    shown: { question, expect, rank: reading.rank ?? null, relevance: relevance ?? null },
  };
}

/** Whether results count as an answer. If their relevance is unknown, any result does. */
function isConfident(results: readonly EvaluatedResult[]): boolean {
  return results.length > 0 && !isDoubtful(results);
}

/** Turns headings of the project into questions and writes them to a new file. Fails if the file exists. */
export async function startQuestions(session: Session, given: Fields): Promise<void> {
  const name = typeof given['file'] === 'string' ? given['file'] : 'questions.yaml';
  const empty = await session.emptiness();
  if (empty !== undefined) throw new Error(empty);
  const questions = firstQuestions(await searchableChunks(session));
  if (questions.length === 0) {
    throw new Error(
      'The project has no headings that can become questions; write the file yourself (see eval --help).',
    );
  }
  const text = name.endsWith('.json')
    ? `${JSON.stringify(questions, undefined, 2)}\n`
    : COMMENT + (await session.parts.yaml()).writeYaml(questions);
  try {
    writeFileSync(resolve(session.directory, name), text, { flag: 'wx' });
  } catch (error) {
    const problem =
      systemErrorCode(error) === 'EEXIST'
        ? 'already exists'
        : `cannot be written (${systemReason(error)})`;
    throw new Error(`${printableLine(name)} ${problem}; name another file.`, { cause: error });
  }
  session.terminal.out(
    `${printableLine(name)} has ${formatCount(questions.length, 'question')}. Put them into your own words, and add some with "expect: none".\n`,
  );
}

/** Returns chunks from the first 200 of the project, without superseded and expired notes, which no search returns. */
async function searchableChunks(session: Session) {
  const { chunks } = await session.call('GET /api/knowledge/x/chunks', { limit: 200 });
  const { notes } = await session.call('GET /api/knowledge/x/notes');
  const { expired = [] } = await session.call('GET /api/knowledge/x/status');
  const superseded = notes.filter((note) => note.supersededBy !== undefined);
  const hidden = new Set([...expired, ...superseded.map((note) => note.sourceFile)]);
  return chunks.filter(({ sourceFile }) => !hidden.has(sourceFile));
}

const COMMENT = `# Questions for "knowledge-store eval". Put them into your own words, because the words of a heading are easy to find.
# expect: a file, file#heading, some text of the right chunk, or none for a question without an answer.
`;
