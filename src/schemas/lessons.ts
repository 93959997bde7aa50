import * as z from 'zod';
import type { Request } from './checks.js';
import {
  also,
  anyText,
  count,
  counted,
  featureId,
  list,
  maxResults,
  maxTokens,
  projectPath,
  share,
  text,
} from './fields.js';
import { ratedResult } from './results.js';

/** Lessons for new features, and from completed ones. */

export const lessonsRequest = z.object({
  projectPath,
  title: text.describe('Title of the feature.'),
  description: anyText.describe('Description of the feature.').exactOptional(),
  also: also.exactOptional(),
  featureId: featureId
    .describe(
      "Folder name of the feature: its own chunks are left out; its epic's features are the fallback.",
    )
    .exactOptional(),
  maxResults: maxResults.describe('Maximum number of results; default 5.').exactOptional(),
  maxTokens: maxTokens
    .describe('Token budget of the section with headings; default: none.')
    .exactOptional(),
  minRelevance: share
    .describe('Leaves out results with a lower relevance, if vectors were compared.')
    .exactOptional(),
  counted,
});

export type LessonsRequest = Request<typeof lessonsRequest>;

/** For programs that use the library: their feature may have no title yet. */
export const untitledLessonsRequest = lessonsRequest.extend({ title: anyText });

export const lessonsResponse = z.object({
  section: z.string().describe('Markdown for a prompt; empty if there are no lessons.'),
  source: z
    .enum(['search', 'siblings', 'none'])
    .describe('Where the lessons come from: a search, or finished features of the same epic.'),
  results: list(ratedResult, 'The chunks found; empty for siblings.'),
  leftOut: count('Number of less relevant chunks left out; absent if none were.').optional(),
});

export const similarRequest = z.object({
  projectPath,
  text: text.describe('Text to compare with; only its first 20 words count.'),
  sourceFile: anyText.describe('Source file whose chunks are left out.').exactOptional(),
  maxResults: maxResults.exactOptional(),
});

export type SimilarRequest = Request<typeof similarRequest>;

/** For programs that use the library: their text may be empty. */
export const anySimilarRequest = similarRequest.extend({ text: anyText });

export const similarResponse = z.object({
  results: z.array(ratedResult).describe('The chunks found, best first.'),
});

export const completeRequest = z.object({
  projectPath,
  featureId: featureId.describe('Folder name of the feature.'),
});

export type CompleteRequest = Request<typeof completeRequest>;

export const completeResponse = z.object({
  learnings: count('Number of lessons found by the model.'),
  added: count('Number of lessons written.'),
  duplicates: count('Number of lessons already known.'),
  categories: z.array(z.string()).describe('Memory categories with new lessons.'),
  compacted: z.array(z.string()).describe('Memory categories summarized.'),
});
