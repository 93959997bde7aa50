import { change } from './place.js';
import { count, figure } from './text.js';

interface PagesProps {
  readonly offset: number;
  readonly size: number;
  readonly total: number;
  /** What one entry is called. */
  readonly one: string;
}

/** Buttons for the pages of a list. The address keeps the current page. */
export function Pages({ offset, size, total, one }: PagesProps) {
  const show = (next: number) => change({ offset: next > 0 ? String(next) : '' });
  return (
    <p class="row">
      <button type="button" disabled={offset === 0} onClick={() => show(offset - size)}>
        Previous
      </button>
      <button type="button" disabled={offset + size >= total} onClick={() => show(offset + size)}>
        Next
      </button>
      <span class="muted">
        {figure(Math.min(offset + 1, total))} to {figure(Math.min(offset + size, total))} of{' '}
        {count(total, one)}
      </span>
    </p>
  );
}
