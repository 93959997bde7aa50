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
  /** How often it was given to a worker before. */
  readonly tries: number;
}

/**
 * Whether a call that was not answered may be given to another worker, unless its project is barred by now. A worker that
 * ends or is silent in the work of another project takes the call along, and so may the next.
 */
export function mayRunAgain({ isRead, tries }: GivenCall, why: Unanswered): boolean {
  if (!isRead) return why === 'late' || why === 'taken';
  return why !== 'stuck' && tries < MAX_TRIES;
}

/** How often a call that reads is given to another worker. */
const MAX_TRIES = 5;

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
