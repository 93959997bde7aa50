import type { Database } from 'better-sqlite3';
import type { ReplaceOutcome, SourceChange } from '../../../ports/source-repository.js';
import { readContentHash } from './source-rows.js';
import {
  type AddedChunks,
  addChunks,
  removeSource,
  type WritingContext,
  writeSource,
} from './source-writer.js';

/**
 * Applies changes in order. New chunks of several sources are inserted together, but always before the next change of
 * their source.
 */
export function replaceSources(
  db: Database,
  changes: readonly SourceChange[],
  context: WritingContext,
): readonly ReplaceOutcome[] {
  const outcomes: ReplaceOutcome[] = [];
  let waiting: AddedChunks[] = [];
  for (const change of changes) {
    const files = [change.sourceFile, change.document?.movedFrom];
    if (waiting.some(({ document }) => files.includes(document.sourceFile))) {
      addChunks(db, waiting, context);
      waiting = [];
    }
    const { outcome, added } = replaceSource(db, change, context);
    outcomes.push(outcome);
    if (added !== undefined) waiting.push(added);
  }
  addChunks(db, waiting, context);
  return outcomes;
}

interface Replaced {
  readonly outcome: ReplaceOutcome;
  readonly added?: AddedChunks;
}

function replaceSource(
  db: Database,
  { sourceFile, document, unchanged = 'skip', isCurrent = () => true }: SourceChange,
  context: WritingContext,
): Replaced {
  if (!isCurrent()) return { outcome: 'changed' };
  if (document === undefined) {
    removeSource(db, sourceFile, context.now);
    return { outcome: 'gone' };
  }
  const isSame = readContentHash(db, sourceFile) === document.contentHash;
  if (isSame && unchanged === 'skip') return { outcome: 'unchanged' };
  return { outcome: 'indexed', added: writeSource(db, document, { ...context, unchanged }) };
}
