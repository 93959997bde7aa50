import { KnowledgeError } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';
import { MAX_TRIES } from './limits.js';
import type { ServiceCall } from './messages.js';
import type { RunOptions, Unanswered } from './open-calls.js';
import { isRead } from './routing.js';

/** A call that no worker has yet, or has any more. */
export interface WaitingCall {
  readonly call: ServiceCall;
  readonly project: string;
  readonly options: RunOptions;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** How often it was given to a worker before. */
  readonly tries: number;
}

/** The line in which a call waits: what one worker can run now does not wait behind what only another can. */
export function lineOf({ project, call }: Pick<WaitingCall, 'project' | 'call'>): string {
  return `${call.kind} ${project}`;
}

/** Whether a call that was not answered can be given to another worker: if it only reads, or was not begun. */
export function mayRunAgain({ call, tries }: WaitingCall, why: Unanswered): boolean {
  if (!isRead(call)) return why === 'late' || why === 'takenBack';
  return why !== 'stuck' && tries < MAX_TRIES;
}

/** How far a first indexing is only the owner knows, so it is given the next call as well. */
export function isAnsweredWhileIndexing(value: unknown): boolean {
  return isRecord(value) && value['indexing'] !== undefined;
}

/** Whether a store was set aside, or is being refilled, which is up to the owner. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof KnowledgeError && error.code === 'store_unavailable';
}

/** Whether the path of a call is not that of a project, which then needs no background work. */
export function isWithoutProject(error: unknown): boolean {
  return (
    error instanceof KnowledgeError &&
    (error.code === 'project_not_found' || error.code === 'path_not_allowed')
  );
}

/** Why the pool itself does not answer a call. */
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
  full: () => new KnowledgeError('overloaded', 'Too many requests wait; try again in a moment.'),
};

function unavailable(sentence: string): KnowledgeError {
  return new KnowledgeError('store_unavailable', sentence);
}
