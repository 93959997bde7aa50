import { type Answer, call, type SearchInput } from '../shared/api.js';
import type { Profile } from './lab-state.js';

type Answered = Answer<'POST /api/knowledge/x/search'>;
type Result = Omit<Answered['results'][number], 'scope'>;

/** The response to a search, with its explanation. */
export interface Found {
  readonly results: readonly Result[];
  readonly explain: NonNullable<Answered['explain']>;
}

/** Searches with a profile. The search does not count as a retrieval. */
export async function find(
  search: SearchInput,
  profile: Profile,
  signal: AbortSignal,
): Promise<Found> {
  const asked = { ...search, explain: true, counted: false };
  const { results, explain } =
    profile === 'reading'
      ? await call('POST /api/knowledge/x/search', asked, signal)
      : await call('POST /api/knowledge/search', asked, signal);
  if (explain === undefined) throw new Error('The service did not explain its answer.');
  return { results, explain };
}
