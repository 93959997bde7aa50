import { isRecord } from '../records.js';
import type { Chunk } from './chunk.js';

/** States in the frontmatter of a document that is no longer valid. Also the tag of its chunks. */
export const STANDINGS = ['superseded', 'deprecated', 'rejected'] as const;

export type Standing = (typeof STANDINGS)[number];

/** Reads `status`, as MADR writes it (`superseded by ADR-0002`), or `superseded_by`; undefined for a document that still holds. */
export function readStanding(frontmatter: unknown): Standing | undefined {
  if (!isRecord(frontmatter)) return undefined;
  const status = text(frontmatter['status']).toLowerCase();
  const named = STANDINGS.find((standing) => status.startsWith(standing));
  const isReplaced = REPLACED_BY.some((name) => text(frontmatter[name]) !== '');
  return named ?? (isReplaced ? 'superseded' : undefined);
}

const REPLACED_BY = ['superseded_by', 'superseded-by', 'supersededBy'];

function text(value: unknown): string {
  const [first] = [value].flat();
  return typeof first === 'string' || typeof first === 'number' ? String(first).trim() : '';
}

/** Whether frontmatter can say such a thing at all. */
export function mayHoldStanding(yaml: string): boolean {
  return /status|supersede|\\/.test(yaml);
}

export function hasStanding({ tags = [] }: Pick<Chunk, 'tags'>): boolean {
  return STANDINGS.some((standing) => tags.includes(standing));
}
