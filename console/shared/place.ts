import { useEffect, useState } from 'preact/hooks';

/** What the address says after `#`: a page, and the whole state of what it shows. */
export interface Place {
  readonly page: string;
  readonly fields: Fields;
}

/** Empty values count as absent. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** Where the address names no page. */
export const FIRST_PAGE = 'search';

export function currentPlace(): Place {
  const [page = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return { page, fields: Object.fromEntries(new URLSearchParams(query)) };
}

export function hrefOf({ page, fields }: Place): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value) query.set(name, value);
  return `#/${page}${query.size > 0 ? `?${query}` : ''}`;
}

/** Adds an entry to the history of the browser. */
export function goTo(place: Place): void {
  location.hash = hrefOf(place);
}

/** Changes fields of the present place; the history keeps one entry for it. */
export function change(fields: Fields): void {
  const place = currentPlace();
  const changed = { ...place, fields: { ...place.fields, ...fields } };
  history.replaceState(null, '', hrefOf(changed));
  dispatchEvent(new Event('hashchange'));
}

export function usePlace(): Place {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const update = () => setPlace(currentPlace());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return place;
}
