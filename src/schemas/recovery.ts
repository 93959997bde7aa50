import * as z from 'zod';

/** What the routes for recovery return (docs/when-it-breaks.md). */

export const diagnosis = z.object({
  healthy: z.boolean().describe('Whether no problem is left that needs something to be done.'),
  problems: z
    .array(
      z
        .object({
          problem: z.string().describe('What is wrong, as a sentence.'),
          advice: z.string().describe('What was done about it, or what to do.'),
          state: z
            .enum(['mended', 'mendable', 'manual', 'damaged'])
            .describe('Whether it is repaired, can be, needs a person, or needs a new database.'),
        })
        .meta({ id: 'StoreProblem', description: 'Something that is wrong with a store.' }),
    )
    .describe('What is wrong, or was until this call; may be empty.'),
  notes: z.array(z.string()).describe('Sentences about what is no problem but worth knowing.'),
});

export const exportReport = z.object({
  name: z.string().describe('Name of the export.'),
  file: z.string().describe('Its file, relative to the project.'),
  bytes: z.int().min(0).describe('Size of the file.'),
  sources: z.int().min(0).describe('Number of sources.'),
  chunks: z.int().min(0).describe('Number of chunks.'),
  vectors: z.int().min(0).describe('Number of vectors, of chunks and of questions.'),
});

export const importReport = z.object({
  sources: z.int().min(0).describe('Number of sources in the export.'),
  added: z.int().min(0).describe('Chunks that were not here.'),
  merged: z.int().min(0).describe('Chunks that were here with the same text.'),
  different: z
    .int()
    .min(0)
    .describe('Chunks that were left out, because their place or source has another text here.'),
  vectors: z.int().min(0).describe('Vectors that were missing here.'),
  otherModel: z
    .string()
    .optional()
    .describe(
      'The model of vectors that were left out; absent if it is the model of this service.',
    ),
});
