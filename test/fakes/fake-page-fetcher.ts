import type { FetchedPage, PageFetcher, PageValidators } from '../../src/ports/page-fetcher.js';

/** A web of which every page is the same, until a test sets another one. */
export class FakePageFetcher implements PageFetcher {
  readonly requests: { readonly url: string; readonly known: PageValidators }[] = [];
  page: FetchedPage = {
    title: 'WAL mode',
    markdown: '## Readers\n\nReaders do not block writers.',
    etag: '"1"',
  };

  async fetch(url: string, known: PageValidators = {}): Promise<FetchedPage | 'unchanged'> {
    this.requests.push({ url, known: { etag: known.etag, lastModified: known.lastModified } });
    const isSame = known.etag !== undefined && known.etag === this.page.etag;
    return isSame ? 'unchanged' : this.page;
  }
}
