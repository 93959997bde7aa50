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
  ok: z.boolean().describe('Whether nothing is left that a repair or a person has to do.'),
  findings: list(
    named('Finding', 'Something worth knowing about a store.', {
      code: z.string().describe('What it is: "damaged", "index_outdated", "vectors_missing", …'),
      sentence: z.string().describe('The same as a sentence that says what to do.'),
      repaired: z.literal(true).optional().describe('Whether this call has repaired it.'),
    }),
    'What is wrong, missing or left out; may be empty.',
  ),
});

export const importCounts = z.object({
  chunks: count('Chunks that were new, or were here with the same text.'),
  vectors: count('Vectors that were missing here, of chunks and of questions.'),
  questions: count('Chunks whose questions were missing here.'),
  skipped: count('Chunks that were left out: their id or their source has another text here.'),
});
