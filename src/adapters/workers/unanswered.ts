import { KnowledgeError } from '../../domain/errors.js';

/** Why a worker did not answer a call. `late`: it came so late that another may have run it; `taken`: another has it. */
export type Unanswered = 'died' | 'stuck' | 'late' | 'taken';

export class UnansweredError extends Error {
  readonly why: Unanswered;
  /** The path of the project that the worker worked on last, if it ended. */
  readonly during: string | undefined;

  constructor(why: Unanswered, during?: string) {
    super(`A worker process did not answer a call: ${why}.`);
    this.why = why;
    this.during = during;
  }
}

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
