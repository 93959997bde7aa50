import * as z from 'zod';
import { THRESHOLD_RANGE } from '../domain/limits.js';
import type { Answer, Request } from './checks.js';
import {
  categoryName,
  count,
  flag,
  isPath,
  list,
  named,
  projectPath,
  texts,
  textWith,
  wholeNumber,
} from './fields.js';

/** Pruning, compaction, diagnosis and import of a project's knowledge. */

const threshold = wholeNumber(THRESHOLD_RANGE)
  .describe('Limit in tokens: longer categories are summarized; default 50,000.')
  .exactOptional();

export const compactRequest = z.object({
  projectPath,
  category: categoryName,
  threshold,
  dryRun: flag.describe('Only report the planned changes; default false.').exactOptional(),
});

export type CompactRequest = Request<typeof compactRequest>;

/** Like {@link compactRequest}, but with the argument names of the specification's service methods. */
export const categoryFileRequest = z.object({
  projectPath,
  categoryFile: categoryName,
  threshold,
});

export const pruneRequest = z.object({
  projectPath,
  dryRun: flag.describe('Only report the chunks to delete; default false.').exactOptional(),
  ids: texts()
    .describe('Of the chunks that a dry run lists, delete only these; default: all.')
    .exactOptional(),
});

export type PruneRequest = Request<typeof pruneRequest>;

export const doctorRequest = z.object({
  projectPath,
  repair: flag.describe('Also repair the problems; default false.').exactOptional(),
});

export type DoctorRequest = Request<typeof doctorRequest>;

export const importRequest = z.object({
  projectPath,
  path: textWith(isPath, 'must be the path of a database')
    .describe('Path of the database, absolute or relative to the project.')
    .meta({ examples: ['/home/me/copy.db'] }),
});

export type ImportRequest = Request<typeof importRequest>;

export const compactResponse = z.object({
  compacted: z.boolean().describe('Whether the category was summarized or, with dryRun, would be.'),
  reason: z.string().describe('Why the category was or was not summarized, as a sentence.'),
  tokensBefore: z.number().min(0).describe('Tokens before: words in the file × 1.3.'),
  tokensAfter: z.number().min(0).describe('Tokens after: words in the file × 1.3.'),
});

/** The result of a compaction, or its preview. */
export type CompactionReport = Answer<typeof compactResponse>;

export const pruneResponse = z.object({
  deleted: count('Number of chunks that were deleted, or would be.'),
  chunks: list(
    named('PrunedChunk', 'A chunk that was deleted, or would be.', {
      id: z.string().describe('Id of the chunk.'),
      sourceFile: z.string().describe('Its source file.'),
      reason: z.string().describe('Why the chunk is deleted, as a sentence.'),
    }),
    'The chunks that were deleted, or would be.',
  ),
});

export type PruneReport = Answer<typeof pruneResponse>;

export const diagnosis = z.object({
  ok: z.boolean().describe('Whether the store needs no repair.'),
  findings: list(
    named('Finding', 'A finding about a store.', {
      code: z
        .string()
        .describe('The kind of problem: "damaged", "index_outdated", "vectors_missing", …'),
      sentence: z.string().describe('The problem and its remedy as a sentence.'),
      repaired: z.literal(true).optional().describe('Whether this call repaired it.'),
    }),
    'Problems, missing data and skipped files; may be empty.',
  ),
});

export type Diagnosis = Answer<typeof diagnosis>;

export const importCounts = z.object({
  chunks: count('Chunks that were new, or already here with the same text.'),
  vectors: count('Vectors of chunks and questions that this store lacked.'),
  questions: count('Chunks whose questions were missing here.'),
  skipped: count('Chunks left out because their id or source has another text here.'),
});
