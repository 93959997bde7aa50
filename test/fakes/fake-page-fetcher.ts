import type { FetchedPage, PageFetcher } from '../../src/ports/page-fetcher.js';

/** A web of which every page is the same, until a test sets another one. */
export class FakePageFetcher implements PageFetcher {
  readonly requests: string[] = [];
  page: FetchedPage = {
    title: 'WAL mode',
    markdown: '## Readers\n\nReaders do not block writers.',
  };

  async fetch(url: string): Promise<FetchedPage> {
    this.requests.push(url);
    return this.page;
  }
}
