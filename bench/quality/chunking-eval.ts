import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLines } from './collection.js';
import { type Span, unitsOfCodePoints } from './spans.js';

/** A text with questions about it (`bench/README.md`, "Chunking"). */
export interface LabeledText {
  readonly id: string;
  readonly text: string;
  readonly questions: readonly LabeledQuestion[];
}

export interface LabeledQuestion {
  readonly id: string;
  readonly text: string;
  /** Positions of the answer in the text, in UTF-16 units. */
  readonly spans: readonly Span[];
}

/**
 * Reads `corpora/*.md` and `questions.jsonl`, whose positions are code points.
 * @throws Error if the text at a position is not the reference
 */
export function readLabeledTexts(folder: string): readonly LabeledText[] {
  const lines = readLines<QuestionLine>(join(folder, 'questions.jsonl'));
  return readdirSync(join(folder, 'corpora'))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => {
      const id = name.slice(0, -'.md'.length);
      const text = readFileSync(join(folder, 'corpora', name), 'utf8');
      const toUnits = unitsOfCodePoints(text);
      const questions = lines
        .filter((line) => line.corpus_id === id)
        .map(({ _id, text: question, references }) => ({
          id: _id,
          text: question,
          spans: references.map((reference) => spanOf(text, reference, toUnits)),
        }));
      return { id, text, questions };
    });
}

interface QuestionLine {
  readonly _id: string;
  readonly text: string;
  readonly corpus_id: string;
  readonly references: readonly Reference[];
}

interface Reference {
  readonly content: string;
  readonly start_index: number;
  readonly end_index: number;
}

function spanOf(text: string, reference: Reference, toUnits: (codePoints: number) => number): Span {
  const span = { start: toUnits(reference.start_index), end: toUnits(reference.end_index) };
  if (text.slice(span.start, span.end) === reference.content) return span;
  throw new Error(
    `A reference is not at ${reference.start_index}: ${reference.content.slice(0, 60)}`,
  );
}
