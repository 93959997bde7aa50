import * as z from 'zod';

/** The progress of background work, and the state of the embedding model. */

const progress = z.object({
  complete: z.int().min(0).describe('Number of chunks that are done.'),
  pending: z.int().min(0).describe('Number of chunks that are still waiting.'),
});

export const modelStatus = z
  .object({
    name: z.string().describe('Name of the embedding model on its hub.'),
    state: z
      .enum(['absent', 'idle', 'loading', 'ready', 'failed'])
      .describe('Whether the model can be used.'),
    download: z
      .object({
        done: z.int().min(0).describe('Bytes that have arrived.'),
        total: z.int().min(0).describe('Size of the file in bytes.'),
      })
      .optional()
      .describe('The file of the model that is being downloaded.'),
  })
  .describe('The embedding model.');

export const statusResponse = z.object({
  embeddings: progress.describe('Chunks with and without their vector.'),
  hype: progress.describe('Chunks with and without the vectors of their questions.'),
  model: modelStatus,
});
