import * as z from 'zod';
import { CANDIDATE_SETS, FUSIONS } from '../domain/settings.js';
import type { Request } from './checks.js';
import { explanation, retrievalMode } from './explanation.js';
import {
  anyText,
  count,
  flag,
  includeSuperseded,
  list,
  maxResults,
  maxTokens,
  named,
  oneOf,
  projectPath,
  projectPaths,
  share,
  sourceTypes,
  tags,
  text,
} from './fields.js';
import { fullResult, projectResult, ratedResult, shortResult } from './results.js';

/** Searches in a project, and in several. */

/** The search of the search-only variant. */
export const keywordRequest = z.object({
  projectPath,
  query: text.describe('Any text, or an expression: "a phrase", AND, OR, NOT, prefix*.'),
  maxResults: maxResults.exactOptional(),
  maxTokens: maxTokens.exactOptional(),
  sourceTypes: sourceTypes.exactOptional(),
});

export const searchRequest = z.object({
  ...keywordRequest.shape,
  tags: tags
    .describe('Only chunks with all of these tags; an empty list filters nothing.')
    .exactOptional(),
  explain: flag.describe('Whether to explain the results; default false.').exactOptional(),
  fusion: oneOf(FUSIONS)
    .describe("How keyword and vector ranking are merged; default: the project's setting.")
    .exactOptional(),
  candidates: oneOf(CANDIDATE_SETS)
    .describe("Which chunks are ranked; default: the project's setting.")
    .exactOptional(),
  widen: flag
    .describe(
      'Searches again with "union" if no chunk shares a word with the query and "candidates" is absent; default false.',
    )
    .exactOptional(),
  minRelevance: share
    .describe(
      'Leaves out results with a lower relevance; default 0. Without effect in "bm25" mode.',
    )
    .exactOptional(),
  includeSuperseded,
  copies: oneOf(['shown', 'hidden'])
    .describe('Whether further chunks with the same text are shown or hidden; default "shown".')
    .exactOptional(),
  exactWords: oneOf(['first', 'ranked'])
    .describe(
      'Whether chunks that literally hold an identifier, file name or path of the query come first; default "ranked", with "blend" "first".',
    )
    .exactOptional(),
  irrelevant: oneOf(['shown', 'hidden'])
    .describe(
      '"shown": every result; "hidden": results with a relevance below .12, or below .3 of the best one\'s, are left out; default: the setting "relevanceFloor".',
    )
    .exactOptional(),
});

export type SearchRequest = Request<typeof searchRequest>;

const { explain: _, copies: __, ...unexplained } = searchRequest.shape;
const { projectPath: ___, widen: ____, ...acrossProjects } = unexplained;

export const explainRequest = z.object(unexplained);

export const projectsRequest = z.object({ projectPaths, ...acrossProjects });

/** For programs: reflections and agent outputs that match a text. */
export const reflectionsRequest = z.object({
  projectPath,
  query: anyText,
  maxResults: maxResults.exactOptional(),
});

const totals = {
  retrieval_mode: retrievalMode,
  totalTokens: count('Number of budget tokens that the results use.'),
} as const;

export const searchResponse = z.object({
  results: list(shortResult, 'The chunks that were found, best first.'),
  ...totals,
  explain: explanation.optional().describe('Only if the request asked for it.'),
});

export const explainResponse = z.object({
  results: list(ratedResult, 'The chunks that were found, best first.'),
  ...totals,
  explain: explanation.describe('How each result got its rank.'),
});

export const projectsResponse = z.object({
  results: list(projectResult, 'The chunks that were found, most relevant first.'),
  totalTokens: totals.totalTokens,
  skipped: list(
    named('SkippedProject', 'A project that could not be searched.', {
      projectPath: z.string().describe('The project, as the request names it.'),
      reason: z.string().describe('Why it was not searched.'),
    }),
    'The projects that could not be searched; the others were.',
  ),
});

const success = z.literal(true).describe('Always true.');

/** The answer of the search-only variant. */
export const keywordResponse = z.object({
  success,
  results: z.array(fullResult).describe('The chunks that were found, best first.'),
});
