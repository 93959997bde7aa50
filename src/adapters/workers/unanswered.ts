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

interface GivenCall {
  readonly isRead: boolean;
  /** The path of its project. */
  readonly path: string;
  /** How often it was given to a worker before. */
  readonly tries: number;
}

/**
 * Whether a call that was not answered may be given to another worker. One that ends in the work of a project takes the calls
 * of others along, and so may the next; one that is silent in it loses them, and on a busy machine so does the next.
 */
export function mayRunAgain(
  { isRead, path, tries }: GivenCall,
  { why, during }: UnansweredError,
): boolean {
  if (!isRead) return why === 'late' || why === 'taken';
  const isBystander = why === 'taken' || (during !== undefined && during !== path);
  return why !== 'stuck' && tries < (isBystander ? TRIES.asBystander : TRIES.usually);
}

/** How often a call that reads is given to another worker. */
const TRIES = { usually: 2, asBystander: 5 };

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
