import * as z from 'zod';
import { count, list, named } from './fields.js';

/** What the routes for upkeep and recovery return. */

const tokensBefore = z.number().min(0).describe('Words in the file before, times 1.3.');
const tokensAfter = z.number().min(0).describe('Words in the file after, times 1.3.');

export const compactResponse = z.object({
  compacted: z.boolean().describe('Whether the category was summarized, or would be.'),
  reason: z.string().describe('A sentence that says why the category was summarized, or why not.'),
  ...{ tokensBefore, tokensAfter },
});

export const draftResponse = z.object({
  ...compactResponse.shape,
  before: z.string().describe('The text of the category.'),
  after: z.string().optional().describe('The summary; absent if nothing would change.'),
});

export const restoreResponse = z.object({
  restored: z.boolean().describe('Whether the text from before the compaction stands there again.'),
  ...{ tokensBefore, tokensAfter },
});

export const pruneResponse = z.object({
  deleted: count('Number of chunks that were deleted, or would be.'),
  chunks: list(
    named('PrunedChunk', 'A chunk that was deleted, or would be.', {
      id: z.string().describe('Id of the chunk.'),
      sourceFile: z.string().describe('Its source file.'),
      reason: z.string().describe('A sentence that says why the chunk is stale.'),
    }),
    'The chunks that were deleted, or would be.',
  ),
});

export const diagnosis = z.object({
  healthy: z.boolean().describe('Whether no problem is left that needs something to be done.'),
  problems: list(
    named('StoreProblem', 'Something that is wrong with a store.', {
      problem: z.string().describe('What is wrong, as a sentence.'),
      advice: z.string().describe('What was done about it, or what to do.'),
      state: z
        .enum(['mended', 'mendable', 'manual', 'damaged'])
        .describe('Whether it is repaired, can be, needs a person, or needs a new database.'),
    }),
    'What is wrong, or was until this call; may be empty.',
  ),
  notes: z.array(z.string()).describe('Remarks that need no action.'),
});
