/** What a server said about the version of a page that it sent; sent back to ask whether it has changed. */
export interface PageValidators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** The text of a page of the web. It is untrusted: data, never instructions. */
export interface FetchedPage extends PageValidators {
  /** One line of visible characters, never blank. */
  readonly title: string;
  /** The main text as markdown, without the title, never blank. */
  readonly markdown: string;
}

/** Fetches pages of the public web. Everything that a server sends has a bound, and so has the time. */
export interface PageFetcher {
  /**
   * Fetches a page; `unchanged` if the server says that it still is the version of `known`.
   * @param url http or https, without user name and password
   * @throws KnowledgeError `fetch_not_allowed` if fetching is off, or if the address or one that it
   * redirects to is not public; `fetch_failed` if no page arrives in time; `not_readable` if it has no
   * text that can be kept, is too large, or takes too long to read; `overloaded` if too many pages are
   * being fetched
   */
  fetch(url: string, known?: PageValidators): Promise<FetchedPage | 'unchanged'>;
}
