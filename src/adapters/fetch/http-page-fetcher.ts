import { setMaxListeners } from 'node:events';
import { KnowledgeError, systemErrorCode } from '../../domain/errors.js';
import { oneLine, visibleText } from '../../domain/lessons/lesson-text.js';
import type { FetchedPage, PageFetcher } from '../../ports/page-fetcher.js';
import { ConcurrencyLimit } from '../../shared/concurrency.js';
import { AddressCheck, type AddressCheckOptions } from './address-check.js';
import { type Download, download } from './download.js';
import { detectContentType } from './page-format.js';
import { fetchFailed, notReadable, type ReadablePage, UnreadablePage } from './readable-page.js';
import { readInThread } from './reading-thread.js';

export interface HttpPageFetcherOptions extends AddressCheckOptions {
  /** Ends all fetches. */
  readonly stop?: AbortSignal;
  /** Time limit from the first connection to the last byte, redirects included. */
  readonly timeoutMs?: number;
  /** Time limit for converting the page to markdown. */
  readonly readingTimeoutMs?: number;
  /** The compiled entry point of the reading thread. */
  readonly workerFile?: URL;
}

/** Fetches pages over HTTP and HTTPS, from public addresses only, and reads them in separate threads. */
export class HttpPageFetcher implements PageFetcher {
  readonly #options: HttpPageFetcherOptions;
  readonly #addresses: AddressCheck;
  readonly #limit = new ConcurrencyLimit(PAGES_AT_ONCE, 'pages are being fetched');

  constructor(options: HttpPageFetcherOptions = {}) {
    this.#options = options;
    this.#addresses = new AddressCheck(options);
  }

  fetch(url: string): Promise<FetchedPage> {
    return this.#limit.run(async () => this.#read(await this.#download(url)));
  }

  async #download(url: string): Promise<Download> {
    const { timeoutMs = PAGE_TIMEOUT_MS, stop } = this.#options;
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = stop === undefined ? limit : AbortSignal.any([limit, stop]);
    // Turns off the warning about many listeners, because each redirect adds some.
    setMaxListeners(0, signal);
    try {
      return await download(url, { addresses: this.#addresses, signal });
    } catch (error) {
      if (error instanceof KnowledgeError) throw error;
      const code = systemErrorCode(error);
      throw signal.aborted
        ? fetchFailed(`it did not arrive within ${timeoutMs / 1000} seconds`)
        : fetchFailed(`the connection failed${code === '' ? '' : ` (${code})`}`, error);
    }
  }

  async #read({ url, bytes, contentType }: Download): Promise<FetchedPage> {
    const { format, charset } = detectContentType(contentType, bytes);
    if (format === undefined) throw notReadable('it is neither HTML nor text');
    const {
      readingTimeoutMs: timeoutMs = PAGE_READING_TIMEOUT_MS,
      workerFile = new URL('./reading-worker.js', import.meta.url),
      stop: signal = new AbortController().signal,
    } = this.#options;
    const task = { format, bytes, charset, url };
    return visible(await readInThread(task, { workerFile, timeoutMs, signal }).catch(toError), url);
  }
}

/** Removes invisible characters, in which a page may hide instructions. Titles a page without one by its address. */
function visible({ title, markdown }: ReadablePage, url: string): ReadablePage {
  const text = visibleText(markdown).trim();
  if (text === '') throw notReadable('it has no text');
  const { host, pathname } = new URL(url);
  const shownTitle = oneLine(title, PAGE_TITLE_MAX_CHARACTERS);
  return {
    title:
      shownTitle === '' ? oneLine(`${host}${pathname}`, PAGE_TITLE_MAX_CHARACTERS) : shownTitle,
    markdown: text,
  };
}

function toError(error: unknown): never {
  throw error instanceof UnreadablePage
    ? notReadable(error.message, error.cause)
    : fetchFailed('the service is stopping', error);
}

const PAGE_TIMEOUT_MS = 20_000;

const PAGE_READING_TIMEOUT_MS = 20_000;

const PAGE_TITLE_MAX_CHARACTERS = 200;

const PAGES_AT_ONCE = 4;
