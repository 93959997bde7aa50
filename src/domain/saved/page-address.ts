import { PAGE_URL_MAX_CHARACTERS } from '../limits.js';

/** The rule for the address of a page, as the second half of a sentence. */
export const PAGE_URL_RULE = `must be an http or https URL of at most ${PAGE_URL_MAX_CHARACTERS} characters, without user name and password`;

export function isPageUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > PAGE_URL_MAX_CHARACTERS) return false;
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** The address by which a page is known: normalized, and without the part after `#`. */
export function pageAddress(url: string): string {
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

/** A name for the file of a page, which other pages may have too: host, path and query, in lower case. */
export function pageName(address: string): string {
  const { host, pathname, search } = new URL(address);
  const words = `${host}${pathname}${search}`.toLowerCase().split(/[^a-z0-9]+/);
  const name = words.filter((word) => word !== '').join('-');
  return name.slice(0, NAME_MAX_CHARACTERS).replace(/-$/, '') || 'page';
}

const NAME_MAX_CHARACTERS = 80;
