import { KnowledgeError } from '../../domain/errors.js';

/** Why a worker did not answer a call. `late`: it came so late that another may have run it; `taken`: another has it. */
export type Unanswered = 'died' | 'stuck' | 'late' | 'taken';

export class UnansweredError extends Error {
  readonly why: Unanswered;

  constructor(why: Unanswered) {
    super(`A worker process did not answer a call: ${why}.`);
    this.why = why;
  }
}

interface GivenCall {
  readonly isRead: boolean;
  /** How many workers ended with it. */
  readonly ends: number;
}

/**
 * Whether a call that was not answered may be given to another worker, unless its project is barred by now. A worker that
 * ends or is silent in the work of another project takes the call along, and so may the next.
 */
export function mayRunAgain({ isRead, ends }: GivenCall, why: Unanswered): boolean {
  if (why === 'late' || why === 'taken') return true;
  return isRead && why === 'died' && ends < MAX_ENDS;
}

/** After so many a call that reads is not given to another worker. */
const MAX_ENDS = 5;

/** What callers get instead of an answer. */
export const REFUSALS = {
  stopping: () => unavailable('The service is stopping.'),
  stuck: () =>
    unavailable(
      'Work on this project did not come to an end and was stopped; try again, or run the doctor.',
    ),
  died: () => unavailable('The process that worked on this project ended; try again.'),
  barred: () =>
    unavailable(
      'This project ended three worker processes within ten minutes and is left alone until ten minutes have passed; the log says why.',
    ),
};

function unavailable(sentence: string): KnowledgeError {
  return new KnowledgeError('store_unavailable', sentence);
}
