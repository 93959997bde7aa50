import type { SearchInput } from '../shared/api.js';
import type { Fields } from '../shared/place.js';

/** The state of the search lab, as kept in the address. */
export interface LabState {
  readonly query: string;
  /** The query in words that a document would use; empty if not given. */
  readonly also: string;
  /** Source types to search; empty for all. */
  readonly types: readonly string[];
  readonly tokens: number;
  readonly results: number;
  readonly first: Mode;
  /** Present if two modes are compared. */
  readonly second?: Mode;
}

export type Profile = 'reading' | 'specified';

/** How candidates are found and ranked; empty means the default of the profile. */
export interface Mode {
  readonly profile: Profile;
  readonly fusion: string;
  readonly candidates: string;
}

const DEFAULT_TOKENS = 8000;
const DEFAULT_RESULTS = 20;
/** More than fits into most budgets, to show what a budget leaves out. */
const FETCHED_RESULTS = 100;
const FETCHED_TOKENS = 1_000_000;

export function labState(fields: Fields): LabState {
  const { q = '', also = '', types = '', fusion = '', candidates = '' } = fields;
  const second = {
    profile: profileOf(fields['profile2']),
    fusion: fields['fusion2'] ?? '',
    candidates: fields['candidates2'] ?? '',
  };
  return {
    query: q,
    also,
    types: types.split(',').filter((type) => type !== ''),
    tokens: wholeNumber(fields['tokens'], DEFAULT_TOKENS, 1_000_000),
    results: wholeNumber(fields['results'], DEFAULT_RESULTS, FETCHED_RESULTS),
    first: { profile: 'reading', fusion, candidates },
    ...(fields['compare'] && { second }),
  };
}

/** The request of the lab. It ranks everything that could be returned; the page then applies the budget. */
export function searchOf(project: string, state: LabState, mode: Mode): SearchInput {
  return {
    projectPath: project,
    query: state.query,
    maxResults: FETCHED_RESULTS,
    maxTokens: FETCHED_TOKENS,
    ...settingsOf(state, mode),
  };
}

/** The request that an agent would send. */
export function agentSearchOf(project: string, state: LabState): SearchInput {
  return {
    projectPath: project,
    query: state.query,
    ...(state.results !== DEFAULT_RESULTS && { maxResults: state.results }),
    ...(state.tokens !== DEFAULT_TOKENS && { maxTokens: state.tokens }),
    ...settingsOf(state, state.first),
  };
}

function settingsOf({ also, types }: LabState, { fusion, candidates }: Mode) {
  return {
    ...(also.trim() !== '' && { also }),
    ...(types.length > 0 && { sourceTypes: types }),
    ...(fusion !== '' && { fusion }),
    ...(candidates !== '' && { candidates }),
  };
}

function profileOf(text: string | undefined): Profile {
  return text === 'specified' ? text : 'reading';
}

function wholeNumber(text: string | undefined, byDefault: number, max: number): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 && number <= max ? number : byDefault;
}
