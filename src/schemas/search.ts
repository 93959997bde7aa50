import { z } from 'zod';
import { explanation, retrievalMode } from './explanation.js';
import { projectResult, ratedResult, shortResult } from './results.js';

/** The responses of the searches of the hybrid variant. */

const totals = {
  retrieval_mode: retrievalMode,
  totalTokens: z.int().min(0).describe('Number of budget tokens that the results use.'),
} as const;

export const searchResponse = z.object({
  results: z.array(shortResult).describe('The chunks that were found, best first.'),
  ...totals,
  explain: explanation.optional().describe('Only if the request asked for it.'),
});

export const projectsResponse = z.object({
  results: z.array(projectResult).describe('The chunks that were found, most relevant first.'),
  totalTokens: totals.totalTokens,
  skipped: z
    .array(
      z
        .object({
          projectPath: z.string().describe('The project, as the request names it.'),
          reason: z.string().describe('Why it was not searched.'),
        })
        .meta({ id: 'SkippedProject', description: 'A project that could not be searched.' }),
    )
    .describe('The projects that could not be searched; the others were.'),
});

export const explainResponse = z.object({
  results: z.array(ratedResult).describe('The chunks that were found, best first.'),
  ...totals,
  explain: explanation.describe('How each result got its rank.'),
});

export const lessonsResponse = z.object({
  section: z.string().describe('Markdown for a prompt; empty if there are no lessons.'),
  source: z
    .enum(['search', 'siblings', 'none'])
    .describe('Where the lessons come from: a search, or finished features of the same epic.'),
  results: z.array(ratedResult).describe('The chunks that were found; empty for siblings.'),
});
