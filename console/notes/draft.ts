import type { Answer } from '../shared/api.js';

/** A note as it is in the editor. */
export interface Draft {
  readonly title: string;
  readonly content: string;
  /** Separated by commas. */
  readonly tags: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly expires: string;
}

export type FullNote = Answer<'GET /api/knowledge/x/notes/{id}'>;

export const EMPTY: Draft = { title: '', content: '', tags: '', expires: '' };

export function draftOf({ title, content, tags = [], expires = '' }: FullNote): Draft {
  return { title, content, tags: tags.join(', '), expires };
}

export function isSame(a: Draft, b: Draft): boolean {
  return FIELDS.every((field) => a[field] === b[field]);
}

/** Applies a draft's own changes on top of changes that others have made meanwhile. */
export function mergeDraft(draft: Draft, before: Draft, now: Draft): Draft {
  const pick = (field: keyof Draft) => (draft[field] === before[field] ? now[field] : draft[field]);
  return {
    title: pick('title'),
    content: pick('content'),
    tags: pick('tags'),
    expires: pick('expires'),
  };
}

/** The fields to send to turn the earlier note into the draft; unsent fields stay as they are. */
export function changesOf(draft: Draft, before: Draft) {
  return {
    ...(draft.title !== before.title && { title: draft.title }),
    ...(draft.content !== before.content && { content: draft.content }),
    ...(draft.tags !== before.tags && { tags: tagsOf(draft.tags) }),
    ...(draft.expires !== before.expires && { expires: draft.expires }),
  };
}

const FIELDS = ['title', 'content', 'tags', 'expires'] as const;

function tagsOf(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
