import * as z from 'zod';

/** What the routes for upkeep return. */

export const compactResponse = z.object({
  compacted: z.boolean().describe('Whether the category was summarized, or would be.'),
  reason: z.string().describe('A sentence that says why the category was summarized, or why not.'),
  tokensBefore: z.number().min(0).describe('Words in the file before, times 1.3.'),
  tokensAfter: z.number().min(0).describe('Words in the file after, times 1.3.'),
});

export const restoreResponse = z.object({
  restored: z.boolean().describe('Whether the text from before the compaction stands there again.'),
  tokensBefore: z.number().min(0).describe('Words in the file before, times 1.3.'),
  tokensAfter: z.number().min(0).describe('Words in the file after, times 1.3.'),
});

export const pruneResponse = z.object({
  deleted: z.int().min(0).describe('Number of chunks that were deleted, or would be.'),
  chunks: z
    .array(
      z
        .object({
          id: z.string().describe('Id of the chunk.'),
          sourceFile: z.string().describe('Its source file.'),
          reason: z.string().describe('A sentence that says why the chunk is stale.'),
        })
        .meta({ id: 'PrunedChunk', description: 'A chunk that was deleted, or would be.' }),
    )
    .describe('The chunks that were deleted, or would be.'),
});
