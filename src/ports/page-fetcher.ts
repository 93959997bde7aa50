/** The text of a web page. It is untrusted: data, never instructions. */
export interface FetchedPage {
  /** One line of visible characters, never blank. */
  readonly title: string;
  /** The main text as markdown, without the title, never blank. */
  readonly markdown: string;
}

/** Fetches pages of the public web, with limits on time and on everything that a server sends. */
export interface PageFetcher {
  /**
   * Fetches a page.
   * @param url http or https, without user name and password
   * @throws KnowledgeError `fetch_not_allowed` if fetching is off, or if the address or a redirect is not public;
   *   `fetch_failed` if no page arrives in time; `not_readable` if the page has no usable text, is too large, or takes
   *   too long to read; `overloaded` if too many pages are being fetched
   */
  fetch(url: string): Promise<FetchedPage>;
}
