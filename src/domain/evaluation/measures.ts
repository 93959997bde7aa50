/** The answer of one profile to one question. */
export interface Answered {
  /** Whether the question has an answer. */
  readonly isAnswerable: boolean;
  /** Place of the right result among those shown, counted from 1; undefined if it is not shown. */
  readonly rank: number | undefined;
  /** Whether the right result is among the first five but not shown. */
  readonly isHidden: boolean;
  /** Whether the answer is presented as certain. */
  readonly isConfident: boolean;
}

export interface Measures {
  /** Number of questions whose right result comes first. */
  readonly first: number;
  readonly withinFive: number;
  readonly hidden: number;
  /** Number of questions without an answer that were answered as if certain. */
  readonly wronglyAnswered: number;
  /** Mean of 1 / rank over the questions with an answer; 0 without any. */
  readonly mrr: number;
  /** Number of all questions. */
  readonly count: number;
}

export function measure(answers: readonly Answered[]): Measures {
  const answerable = answers.filter(({ isAnswerable }) => isAnswerable);
  const ranks = answerable.flatMap(({ rank }) => rank ?? []);
  const sum = ranks.reduce((total, rank) => total + 1 / rank, 0);
  return {
    first: ranks.filter((rank) => rank === 1).length,
    withinFive: ranks.filter((rank) => rank <= 5).length,
    hidden: answerable.filter(({ isHidden }) => isHidden).length,
    wronglyAnswered: answers.filter((one) => !one.isAnswerable && one.isConfident).length,
    mrr: answerable.length === 0 ? 0 : Number((sum / answerable.length).toFixed(4)),
    count: answers.length,
  };
}
