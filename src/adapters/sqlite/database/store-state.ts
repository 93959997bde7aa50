import type { Database } from 'better-sqlite3';
import { prepareOnce } from './statements.js';

/** Reads a fact about a store from the table `store_state`; undefined if it was never set. */
export function readState(db: Database, name: string): string | undefined {
  return prepareOnce<[string], string>(db, 'SELECT value FROM store_state WHERE name = ?')
    .pluck()
    .get(name);
}

export function setState(db: Database, name: string, value: string): void {
  prepareOnce(
    db,
    `INSERT INTO store_state (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  ).run(name, value);
}

export function clearState(db: Database, name: string): void {
  prepareOnce(db, 'DELETE FROM store_state WHERE name = ?').run(name);
}

/** Name of a fact: the store replaces a damaged one, so it must be filled from its sources. */
export const NEEDS_REINDEXING = 'needs_reindexing';

/** Name of a fact: the model of the question vectors, set once this service has stored one. */
export const QUESTION_MODEL = 'hype_model';

/** Whether the question vectors are from this model, or none was ever stored. */
export function areQuestionsFrom(db: Database, model: string): boolean {
  return (readState(db, QUESTION_MODEL) ?? model) === model;
}

/** Name of a fact: a JSON list of descriptions of what adoption left out. */
export const LEFT_OUT = 'left_out_at_adoption';
