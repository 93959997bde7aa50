import type { Measures } from '../../../domain/evaluation/measures.js';
import type { EvaluationQuestion } from '../../../domain/evaluation/questions.js';
import { printableLine, type Styles } from './format.js';

export type ProfileName = 'reading' | 'specified' | 'keywords';

export interface EvaluationBody {
  readonly profiles: Readonly<Record<ProfileName, Measures>>;
  readonly questions: readonly EvaluatedQuestion[];
}

export interface EvaluatedQuestion extends EvaluationQuestion {
  /** Rank of the right result in the profile `reading`; null if it is not among the results. */
  readonly rank: number | null;
  /** Relevance of the right result or, for a question without an answer, of the best result; null if unknown. */
  readonly relevance: number | null;
}

/** Formats a table of the profiles, and a list of the questions that `reading` did not answer as expected. */
export function evaluationText({ profiles, questions }: EvaluationBody, styles: Styles): string {
  const rows = Object.entries(profiles).map(([name, measures]) => [
    name,
    ...COLUMNS.map(([key]) => (key === 'mrr' ? measures.mrr.toFixed(3) : String(measures[key]))),
  ]);
  const table = [['', ...COLUMNS.map(([, title]) => title)], ...rows].map(tableLine).join('\n');
  const lines = questions.filter(isWorthALine).map((one) => {
    const rank = one.expect.toLowerCase() === 'none' ? 'answered' : (one.rank ?? 'not shown');
    const relevance = one.relevance === null ? '' : `, relevance ${one.relevance.toFixed(2)}`;
    return `  ${printableLine(one.question)} ${styles.dim(`→ ${printableLine(one.expect)}: ${rank}${relevance}`)}`;
  });
  const list = lines.length === 0 ? '' : `\n\nNot first in reading:\n${lines.join('\n')}`;
  return `${table}${list}`;
}

const COLUMNS = [
  ['first', 'first'],
  ['withinFive', 'within five'],
  ['hidden', 'hidden'],
  ['wronglyAnswered', 'wrongly answered'],
  ['mrr', 'MRR'],
  ['count', 'questions'],
] as const;

function tableLine([name = '', ...cells]: readonly string[]): string {
  const widths = COLUMNS.map(([, title]) => Math.max(title.length, 5) + 2);
  return `${name.padEnd(10)}${cells.map((cell, i) => cell.padStart(widths[i] ?? 0)).join('')}`;
}

function isWorthALine({ expect, rank, relevance }: EvaluationBody['questions'][number]): boolean {
  return expect.toLowerCase() === 'none' ? (relevance ?? 0) >= 0.5 : rank !== 1;
}
