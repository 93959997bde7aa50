import type { Answer } from '../shared/api.js';

type Answered = Answer<'POST /api/knowledge/x/search'>;

/** An answer that was asked to explain itself. */
export type Found = Answered & { readonly explain: NonNullable<Answered['explain']> };

export function explained(found: Answered): Found {
  const { explain } = found;
  if (explain === undefined) throw new Error('The service did not explain its answer.');
  return { ...found, explain };
}
