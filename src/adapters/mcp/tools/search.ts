import type * as z from 'zod';
import type { Service } from '../../../app/service/service.js';
import { oneLine } from '../../../domain/lessons/lesson-text.js';
import { MAX_TOKENS_RANGE } from '../../../domain/limits.js';
import { doubtSentence } from '../../../domain/ranking/relevance.js';
import { isTransient } from '../../../domain/ranking/search.js';
import { projectPaths } from '../../../schemas/fields.js';
import { readRequest } from '../../../schemas/search.js';
import { doubtfulAnswer, resultsAnswer } from '../answers/results-answer.js';
import type { Readiness } from './readiness.js';
import { type CallContext, maxResults, maxTokens, type Tool, tool } from './tool.js';

const { query, also, sourceTypes, tags, paths, since, until, minRelevance, includeSuperseded } =
  readRequest.shape;

/** Defaults that usually include the passage that answers, and keep it cheap to search again. */
const SEARCH_RESULTS = 5;
const SEARCH_TOKENS = 1500;

const request = {
  query,
  also,
  maxResults: maxResults.describe(`Default ${SEARCH_RESULTS}.`),
  maxTokens: maxTokens.describe(`Token budget; default ${SEARCH_TOKENS}.`),
  sourceTypes,
  tags,
  paths,
  since,
  until,
  minRelevance: minRelevance.describe('Leaves out results with a lower relevance; 0 shows all.'),
  includeSuperseded,
  projects: projectPaths
    .describe('Search these projects instead, by absolute path.')
    .exactOptional(),
};

type SearchInput = z.output<z.ZodObject<typeof request>>;

/** Finds chunks by keyword and meaning. */
export function searchTool(services: Service, becomesReady: Readiness): Tool {
  return tool({
    name: 'search',
    title: 'Search the project knowledge',
    description:
      'Searches the knowledge of this project: lessons and outputs of finished work, notes, documentation. Use it before you start on something, and when something is unclear. Plain words are best; "a phrase", AND, OR, NOT and prefix* are understood. Returns chunks, best first; get shows long ones in full.',
    effect: 'reads',
    request,
    answer: async (projectPath, fields, { worktreeText }) => {
      if (fields.projects !== undefined) {
        return searchProjects(services, fields.projects, fields);
      }
      await becomesReady(projectPath);
      return searchProject(services, projectPath, { ...fields, worktreeText });
    },
  });
}

async function searchProject(
  { search, sources }: Service,
  projectPath: string,
  { worktreeText, ...fields }: SearchInput & Pick<CallContext, 'worktreeText'>,
): Promise<string> {
  const options = searchOptions(fields);
  const found = await search.read({ projectPath, ...options });
  const { explanation } = found;
  const notes = explanation.notes.map(({ sentence }) => sentence);
  const results = await sources.located(projectPath, found.results);
  if (found.weak && fields.minRelevance === undefined) {
    return doubtfulAnswer({ results, worktreeText, query: fields.query, notes });
  }
  return resultsAnswer({
    results,
    worktreeText,
    leftOut: found.leftOut,
    query: fields.query,
    maxTokens: fields.maxTokens ?? SEARCH_TOKENS,
    notes,
    otherwise: [
      'No results.',
      ...notes,
      explanation.notes.some(isTransient) ? TRY_AGAIN : TRY_OTHERWISE,
    ].join(' '),
  });
}

async function searchProjects(
  { projectsSearch }: Service,
  projectPaths: string[],
  fields: SearchInput,
): Promise<string> {
  const { results, skipped } = await projectsSearch.search({
    projectPaths,
    ...searchOptions(fields),
  });
  const notes = skipped.map(
    ({ projectPath, reason }) =>
      `${oneLine(projectPath)} was not searched: ${oneLine(reason, REASON_CHARACTERS)}`,
  );
  const doubt = fields.minRelevance === undefined ? doubtSentence(results) : undefined;
  if (doubt !== undefined) {
    return doubtfulAnswer({ results, query: fields.query, notes: [doubt, ...notes] });
  }
  return resultsAnswer({
    results,
    query: fields.query,
    maxTokens: fields.maxTokens ?? SEARCH_TOKENS,
    notes,
    otherwise: ['No results.', ...notes, TRY_OTHERWISE].join(' '),
  });
}

/** Limits the length of a reason, which may name files of a project. */
const REASON_CHARACTERS = 300;

function searchOptions({
  projects: _,
  maxTokens: budget = SEARCH_TOKENS,
  maxResults: wanted = SEARCH_RESULTS,
  ...filters
}: SearchInput) {
  // Requests no more results than the budget can show, because every result counts as retrieved.
  const showable = Math.max(1, Math.min(wanted, Math.floor(budget / RESULT_MIN_TOKENS)));
  // The search does not drop long chunks: one that does not fit whole is shown as a preview.
  return {
    ...filters,
    maxResults: showable,
    maxTokens: MAX_TOKENS_RANGE.max,
  };
}

/** Minimum cost of a result, with its id, file and heading. */
const RESULT_MIN_TOKENS = 80;

const TRY_AGAIN = 'Try again in a few seconds.';
const TRY_OTHERWISE =
  'Try other or fewer words, or use also to add words that a document about it would use. If status shows no chunks, call ingest first.';
