import { displayTitle } from '../chunks/display-title.js';
import { headingText, parseLines } from '../chunks/markdown.js';
import { invalidRequest } from '../errors.js';
import { formatInteger } from '../figures.js';
import { isRecord } from '../records.js';

/** A question and its right answer: a file, `file#heading`, a text that the right chunk contains, or `none`. */
export interface EvaluationQuestion {
  readonly question: string;
  readonly expect: string;
}

/** The expected answer. */
export interface AnswerChunk {
  readonly sourceFile: string;
  readonly heading?: string | undefined;
  readonly content: string;
}

export const NO_ANSWER = 'none';

/** @throws KnowledgeError `invalid_request`, which names the wrong entry and says how to correct it */
export function checkQuestions(value: unknown): readonly EvaluationQuestion[] {
  if (!Array.isArray(value))
    throw invalidRequest(`The file must be a list of entries, each ${FORM}.`);
  if (value.length === 0) throw invalidRequest(`The file has no entries; add some, each ${FORM}.`);
  if (value.length > QUESTIONS_MAX) {
    throw invalidRequest(
      `The file has ${formatInteger(value.length)} entries; the maximum is ${formatInteger(QUESTIONS_MAX)}.`,
    );
  }
  return value.map((entry, index) => checkEntry(entry, index + 1));
}

const QUESTIONS_MAX = 1000;
const FORM = '{ question: text, expect: file, file#heading, text or none }';

function checkEntry(entry: unknown, number: number): EvaluationQuestion {
  if (!isRecord(entry)) throw invalidRequest(`Entry ${number} must be ${FORM}.`);
  return {
    question: checkText(entry['question'], `Entry ${number} needs a "question", as text.`),
    expect: checkText(
      entry['expect'],
      `Entry ${number} needs an "expect": a file, file#heading, text from the right chunk, or none.`,
    ),
  };
}

function checkText(value: unknown, sentence: string): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw invalidRequest(sentence);
}

/**
 * Tests whether chunks are the right answer.
 * @param sources the indexed files; an expectation that does not name one of them is a text
 */
export function rightAnswer(
  expect: string,
  sources: readonly string[],
): (chunk: AnswerChunk) => boolean {
  const [, file = '', heading] = /^([^#]+)(?:#(.*))?/s.exec(expect) ?? [];
  const files = new Set(sources.filter((source) => isNamed(source, file.trim())));
  if (files.size === 0) {
    return ({ heading: title = '', content }) =>
      foldText(`${title}\n${content}`).includes(foldText(expect));
  }
  return (chunk) =>
    files.has(chunk.sourceFile) && (heading === undefined || hasHeading(chunk, heading));
}

/** Whether an expectation looks like the path of a file that is not indexed. */
export function isMissingFile(expect: string, sources: readonly string[]): boolean {
  const [, file] = /^(\S+\.(?:mdx?|txt|rst|adoc|org))(?:#.*)?$/is.exec(expect) ?? [];
  return file !== undefined && !sources.some((source) => isNamed(source, file));
}

function isNamed(source: string, file: string): boolean {
  const path = file.replace(/^\.\//, '');
  return source === path || source.endsWith(`/${path}`);
}

function hasHeading(chunk: AnswerChunk, heading: string): boolean {
  const within = parseLines(chunk.content)
    .filter(({ headingLevel }) => headingLevel > 0)
    .map((line) => headingText(line));
  const titles = [chunk.heading, displayTitle(chunk), ...within];
  return titles.some((title = '') => title !== '' && anchor(title) === anchor(heading));
}

/** The anchor of a heading: `Retry & back-off` and `retry--back-off` are the same. */
function anchor(heading: string): string {
  return foldText(heading).replace(/[^\p{L}\p{N}]/gu, '');
}

function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
}
