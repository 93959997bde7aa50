import * as z from 'zod';
import { CANDIDATE_SETS, type CandidateSet, FUSIONS, type Fusion } from '../domain/settings.js';
import type { Request } from './checks.js';
import { explanation, retrievalMode } from './explanation.js';
import {
  also,
  anyText,
  count,
  counted,
  flag,
  includeSuperseded,
  list,
  maxResults,
  maxTokens,
  named,
  oneValue,
  paths,
  projectPath,
  projectPaths,
  share,
  sourceTypes,
  tags,
  text,
  time,
} from './fields.js';
import { fullResult, projectResult, readResult, shortResult } from './results.js';

/** Searches in a project, and in several. */

/** A search of the search-only variant. */
export const keywordRequest = z.object({
  projectPath,
  query: text.describe('Any text, or an expression: "a phrase", AND, OR, NOT, prefix*.'),
  maxResults: maxResults.exactOptional(),
  maxTokens: maxTokens.exactOptional(),
  sourceTypes: sourceTypes.exactOptional(),
});

const FILTERS = {
  tags: tags
    .describe('Only chunks with all of these tags; an empty list means no filter.')
    .exactOptional(),
  paths: paths.exactOptional(),
  since: time('Only chunks created since').exactOptional(),
  until: time('Only chunks created before').exactOptional(),
} as const;

const searchFields = {
  ...keywordRequest.shape,
  ...FILTERS,
  minRelevance: share
    .describe('Leaves out results with a lower relevance; default 0. No effect in "bm25" mode.')
    .exactOptional(),
  includeSuperseded,
} as const;

const explain = flag.describe('Whether to explain the results; default false.').exactOptional();

/** The search defined by the specification. */
export const searchRequest = z.object({
  ...searchFields,
  explain,
  counted,
  ...rankingFields({ fusion: 'rrf', candidates: 'keyword' }),
});

export type SearchRequest = Request<typeof searchRequest>;

const rewrite = flag
  .describe(
    'Whether a configured language model may rephrase the question if the answer is weak; default false.',
  )
  .exactOptional();

const readFields = {
  ...searchFields,
  also: also.exactOptional(),
  all: flag.describe('Whether to include weak results; default false.').exactOptional(),
  ...rankingFields({ fusion: 'blend', candidates: 'union' }),
} as const;

/** The search for people and agents. */
export const readRequest = z.object({
  ...readFields,
  explain,
  counted,
  rewrite,
});

export type ReadRequest = Request<typeof readRequest>;

const { projectPath: _, ...acrossProjects } = readFields;

export const projectsRequest = z.object({ projectPaths, ...acrossProjects });

function rankingFields(defaults: { readonly fusion: Fusion; readonly candidates: CandidateSet }) {
  return {
    fusion: oneValue(FUSIONS)
      .describe(`How keyword and vector ranking are merged; default "${defaults.fusion}".`)
      .exactOptional(),
    candidates: oneValue(CANDIDATE_SETS)
      .describe(`Which chunks are ranked; default "${defaults.candidates}".`)
      .exactOptional(),
  } as const;
}

/** For programs that use the library: reflections and agent outputs that match a text. */
export const reflectionsRequest = z.object({
  projectPath,
  query: anyText,
  maxResults: maxResults.exactOptional(),
});

const totals = {
  retrieval_mode: retrievalMode,
  totalTokens: count('Budget tokens used by the results.'),
} as const;

export const searchResponse = z.object({
  results: list(shortResult, 'The chunks found, best first.'),
  ...totals,
  explain: explanation.optional().describe('Present only if requested.'),
});

export const readResponse = z.object({
  results: list(readResult, 'The chunks found, best first.'),
  weak: z.boolean().describe('Whether the best relevance is below 0.5.'),
  leftOut: count('Number of results left out because of low relevance.'),
  ...totals,
  explain: explanation.optional().describe('Present only if requested.'),
});

export const projectsResponse = z.object({
  results: list(projectResult, 'The chunks found, most relevant first.'),
  totalTokens: totals.totalTokens,
  skipped: list(
    named('SkippedProject', 'A project that could not be searched.', {
      projectPath: z.string().describe('The project, as the request names it.'),
      reason: z.string().describe('Why it was not searched.'),
    }),
    'The projects that could not be searched.',
  ),
});

const success = z.literal(true).describe('Always true.');

/** The answer of the search-only variant. */
export const keywordResponse = z.object({
  success,
  results: z.array(fullResult).describe('The chunks found, best first.'),
});
