import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { oneLine } from '../../../domain/lessons/lesson-text.js';
import { MAX_TOKENS_RANGE } from '../../../domain/limits.js';
import type { AnswerNote, SearchAnswer, SearchOptions } from '../../../domain/search.js';
import type { KnowledgeServices } from '../../../ports/driving/knowledge-services.js';
import {
  includeSuperseded,
  projectPaths,
  searchFields,
  share,
  tags,
} from '../../../schemas/fields.js';
import { locatedResults, resultsAnswer, structuredResults } from '../answers/results-answer.js';
import {
  DEFAULT_ANSWER_RESULTS,
  DEFAULT_ANSWER_TOKENS,
  READINESS_POLL_MS,
  READINESS_WAIT_MS,
  RESULT_MIN_TOKENS,
} from '../limits.js';
import { maxResults, maxTokens, project, type Tool, type ToolAnswer, tool } from './tool.js';

type SearchParts = Pick<KnowledgeServices, 'store' | 'sources' | 'across'>;

const input = z.object({
  query: searchFields.query,
  project,
  max_results: maxResults,
  max_tokens: maxTokens,
  source_types: searchFields.sourceTypes,
  tags: tags.describe('Only chunks with all of these tags.').exactOptional(),
  min_relevance: share
    .describe('Leaves out less relevant results, 0 to 1; default 0.')
    .exactOptional(),
  include_superseded: includeSuperseded,
  projects: projectPaths
    .describe('Search these projects instead, by absolute path.')
    .exactOptional(),
});

/** Finds chunks by keyword and meaning. */
export function searchTool(parts: SearchParts): Tool {
  const ready = new Set<string>();
  return tool({
    name: 'search',
    title: 'Search the project knowledge',
    description:
      'Searches what is known about this project: lessons and outputs of finished work, notes, documentation. Use it before you start on something, and when something is unclear. Plain words are best; "a phrase", AND, OR, NOT and prefix* are understood. Returns chunks, best first; long ones as previews, which get shows whole.',
    effect: 'reads',
    input,
    answer: async (projectPath, fields) => {
      const { projects } = fields;
      if (projects !== undefined) return answerOfProjects(parts, projects, fields);
      if (!ready.has(projectPath)) await untilReady(parts.store, projectPath);
      ready.add(projectPath);
      return answerOf(parts, projectPath, fields);
    },
  });
}

async function answerOf(
  parts: SearchParts,
  projectPath: string,
  { query, ...fields }: SearchFields,
): Promise<ToolAnswer> {
  const budget = fields.max_tokens ?? DEFAULT_ANSWER_TOKENS;
  const options = optionsOf(fields, budget);
  const asked = await parts.store.search(projectPath, query, options);
  const found = sharesNoWord(asked)
    ? await parts.store.search(projectPath, query, { ...options, candidates: 'union' })
    : asked;
  const notes = notesOf(found);
  const isLoading = found.explanation.notes.some(({ code }) => code === 'model_loading');
  const answer = resultsAnswer({
    results: await locatedResults(parts.sources, projectPath, found.results),
    terms: found.explanation.query.terms,
    maxTokens: budget,
    notes,
    otherwise: ['No results.', ...notes, isLoading ? TRY_AGAIN : TRY_OTHERWISE].join(' '),
  });
  const { retrievalMode: retrieval_mode } = found;
  return {
    text: answer.text,
    structured: { ...structuredResults(answer), retrieval_mode, notes },
  };
}

type SearchFields = z.output<typeof input>;

function optionsOf(fields: Omit<SearchFields, 'query'>, budget: number): SearchOptions {
  const { source_types: sourceTypes, tags: wanted, min_relevance: minRelevance } = fields;
  return {
    maxResults: showable(fields.max_results ?? DEFAULT_ANSWER_RESULTS, budget),
    // A chunk that does not fit whole is shown as a preview.
    maxTokens: MAX_TOKENS_RANGE.max,
    ...(sourceTypes !== undefined && { sourceTypes }),
    ...(wanted !== undefined && { tags: wanted }),
    ...(minRelevance !== undefined && { minRelevance }),
    ...(fields.include_superseded === true && { includeSuperseded: true }),
  };
}

async function answerOfProjects(
  { across }: SearchParts,
  projects: readonly string[],
  { query, ...fields }: SearchFields,
): Promise<ToolAnswer> {
  const budget = fields.max_tokens ?? DEFAULT_ANSWER_TOKENS;
  const { results, skipped } = await across.searchProjects(
    projects,
    query,
    optionsOf(fields, budget),
  );
  const notes = skipped.map(
    ({ projectPath, reason }) => `${oneLine(projectPath)} was not searched: ${reason}`,
  );
  const otherwise = ['No results.', ...notes, TRY_OTHERWISE].join(' ');
  const terms = query.split(/\s+/);
  const answer = resultsAnswer({ results, terms, maxTokens: budget, notes, otherwise });
  return { text: answer.text, structured: { ...structuredResults(answer), notes, skipped } };
}

/** The answer is empty because the candidates were those that share a word with the query. */
function sharesNoWord({ explanation }: SearchAnswer): boolean {
  return explanation.notes.some(({ code }) => code === 'no_match');
}

/** No more than the budget can show: what is found counts as retrieved. */
function showable(maxResults: number, budget: number): number {
  return Math.max(1, Math.min(maxResults, Math.floor(budget / RESULT_MIN_TOKENS)));
}

/** Waits for a model that is being loaded, and for the first indexing of a project, but not for long. */
async function untilReady(store: SearchParts['store'], projectPath: string): Promise<void> {
  const deadline = performance.now() + READINESS_WAIT_MS;
  while (performance.now() < deadline) {
    const { state } = await store.getModelStatus();
    // A query without a word counts no retrieval, and starts the first indexing where there was none.
    const { indexing } = await store.search(projectPath, NO_WORDS, { maxResults: 1 });
    if (indexing === undefined && state !== 'loading') return;
    await sleep(READINESS_POLL_MS);
  }
}

const NO_WORDS = '?';

/** What the caller should know: why results are missing. */
function notesOf({ explanation }: SearchAnswer): readonly string[] {
  return explanation.notes.filter(isOfUse).map(({ sentence }) => sentence);
}

/** A model cannot change settings. */
function isOfUse({ code }: AnswerNote): boolean {
  return code !== 'better_settings';
}

const TRY_AGAIN = 'Try again in a few seconds.';
const TRY_OTHERWISE = 'Try other or fewer words. If status shows no chunks, call ingest first.';
