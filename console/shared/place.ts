import { useEffect, useRef, useState } from 'preact/hooks';

/** A page and its whole state, as in the part of the address after `#`. */
export interface Place {
  readonly page: string;
  readonly fields: Fields;
}

/** Empty values count as absent. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** The page to show if the address names none. */
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

/** Goes to a place, as a new entry in the browser's history. */
export function goTo(place: Place): void {
  location.hash = hrefOf(place);
}

/** Returns false if going to a place would lose unsaved text. */
type Guard = (place: Place) => boolean;

let guard: Guard | undefined;

/** Sets the guard, of which there is only one; undefined allows every place. */
export function guardPlace(allows: Guard | undefined): void {
  guard = allows;
}

/** Changes fields of the current place, without a new entry in the browser's history. */
export function change(fields: Fields): void {
  const place = currentPlace();
  const changed = { ...place, fields: { ...place.fields, ...fields } };
  if (guard?.(changed) ?? true) {
    history.replaceState(null, '', hrefOf(changed));
    dispatchEvent(new Event('hashchange'));
  } else goTo(changed);
}

/** The current place, and one that was refused because going there would lose unsaved text. The user has to decide. */
export interface Visit {
  readonly place: Place;
  readonly refused?: Place | undefined;
  /** Drops the refused place and stays. */
  readonly stay: () => void;
}

export function useVisit(): Visit {
  const [place, setPlace] = useState(currentPlace);
  const [refused, setRefused] = useState<Place>();
  const accepted = useRef(place);
  useEffect(() => {
    const update = () => {
      const next = currentPlace();
      if (guard?.(next) === false) {
        history.pushState(null, '', hrefOf(accepted.current));
        return setRefused(next);
      }
      accepted.current = next;
      setPlace(next);
    };
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return { place, refused, stay: () => setRefused(undefined) };
}

export function usePlace(): Place {
  return useVisit().place;
}
