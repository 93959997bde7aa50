import type { Expression } from '../../../src/domain/query/expression.js';
import { allWords, anyInformativeWord, readQuery } from '../../../src/domain/query/query.js';
import { generator } from '../../quality/statistics.js';

/** A query as the product searches for it. If that omits words, `everyWord` has all of them. */
export interface BenchQuery {
  readonly expression: Expression;
  readonly everyWord?: Expression;
}

/** Makes a query of one class. */
type MakeQuery = (words: FrequentWords) => BenchQuery | undefined;

export interface FrequentWords {
  /** A word whose document frequency is between these shares of the chunks. */
  readonly pick: (least: number, most: number) => string;
  /** Consecutive words of some text. */
  readonly passage: (length: number) => readonly string[];
}

export const QUERY_CLASSES: Readonly<Record<string, MakeQuery>> = {
  'rare word': ({ pick }) => query(allWords([pick(0, 0.001)])),
  'common word': ({ pick }) => query(allWords([pick(0.05, 0.3)])),
  'stop word': ({ pick }) => query(allWords([pick(0.5, 1)])),
  '3-word AND': ({ pick }) => query(allWords(several(3, () => pick(0.02, 0.3)))),
  '8-word OR': ({ pick }) => query(anyInformativeWord(several(8, () => pick(0.001, 0.1)))),
  '30-word prose': ({ passage }) => prose(passage(30)),
  phrase: ({ passage }) => structured(`"${passage(2).join(' ')}"`),
  prefix: ({ pick }) => structured(`${pick(0.01, 0.1).slice(0, 4)}*`),
};

/** Counts the document frequency of each word of the texts. */
export function frequentWords(texts: readonly string[], seed: number): FrequentWords {
  const random = generator(seed);
  const counts = new Map<string, number>();
  const split = texts.map((text) => text.toLowerCase().match(/\p{L}{2,}/gu) ?? []);
  for (const words of split) {
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const pick = (least: number, most: number) => {
    const fit = [...counts].filter(
      ([, count]) => count > least * texts.length && count <= most * texts.length,
    );
    return one(fit)?.[0] ?? 'the';
  };
  const passage = (length: number) => {
    const words = one(split.filter((candidate) => candidate.length >= length)) ?? ['the', 'file'];
    const start = Math.floor(random() * Math.max(1, words.length - length));
    return words.slice(start, start + length);
  };
  return { pick, passage };
}

function several(count: number, make: () => string): readonly string[] {
  return Array.from({ length: count }, make);
}

function query(expression: Expression | undefined): BenchQuery | undefined {
  return expression && { expression };
}

function prose(words: readonly string[]): BenchQuery | undefined {
  const expression = anyInformativeWord(words);
  const distinct = [...new Set(words.map((word) => word.toLowerCase()))];
  const operands = distinct.map((text) => allWords([text])).filter((word) => word !== undefined);
  return expression && { expression, everyWord: { kind: 'or', operands } };
}

function structured(text: string): BenchQuery | undefined {
  const read = readQuery(text);
  return read.kind === 'structured' ? query(read.expression) : undefined;
}
