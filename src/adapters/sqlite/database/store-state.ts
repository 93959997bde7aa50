import type { Database } from 'better-sqlite3';
import { prepared } from './statements.js';

/** Small facts about a store, in the table `store_state`; undefined if one was never set. */
export function readState(db: Database, name: string): string | undefined {
  return prepared<[string], string>(db, 'SELECT value FROM store_state WHERE name = ?')
    .pluck()
    .get(name);
}

export function setState(db: Database, name: string, value: string): void {
  prepared(
    db,
    `INSERT INTO store_state (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  ).run(name, value);
}

export function clearState(db: Database, name: string): void {
  prepared(db, 'DELETE FROM store_state WHERE name = ?').run(name);
}

/** The name of a fact: the store replaces a damaged one, and must be filled from its sources. */
export const NEEDS_REINDEXING = 'needs_reindexing';

/** The name of a fact: the model of the question vectors, once this service has stored one. */
export const QUESTION_MODEL = 'hype_model';

/** Whether the question vectors belong to a model, or none was ever stored. */
export function areQuestionsFrom(db: Database, model: string): boolean {
  return (readState(db, QUESTION_MODEL) ?? model) === model;
}

/** The name of a fact: a JSON list of sentences. */
export const LEFT_OUT = 'left_out_at_adoption';
