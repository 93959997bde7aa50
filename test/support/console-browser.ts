import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Path of the browser for tests; undefined, with a warning, if there is none. */
export const BROWSER = [process.env['KNOWLEDGE_TEST_BROWSER'] ?? '', '/usr/bin/chromium'].find(
  (path) => existsSync(path),
);
if (BROWSER === undefined) {
  console.warn('Tests in a browser are skipped: no chromium, and no KNOWLEDGE_TEST_BROWSER.');
}

export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  // Chromium has no sandbox when it runs as root.
  return chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox', ...args] });
}

/**
 * A browser tab that records whatever a page must not do: errors, requests to other origins, breaches of its policy.
 */
export class WatchedTab {
  readonly page: Page;
  readonly faults: string[] = [];

  private constructor(page: Page, origin: string) {
    this.page = page;
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.faults.push(message.text());
    });
    page.on('pageerror', (error) => this.faults.push(`thrown: ${error.message}`));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) this.faults.push(`foreign: ${request.url()}`);
    });
    page.on('dialog', (dialog) => {
      this.faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  static async open(browser: Browser, origin: string, options: TabOptions = {}) {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1280, height: 900 },
      colorScheme: options.theme ?? 'light',
    });
    if (options.token) {
      const key = JSON.stringify('knowledge-store.token');
      await context.addInitScript(
        `sessionStorage.setItem(${key}, ${JSON.stringify(options.token)})`,
      );
    }
    return new WatchedTab(await context.newPage(), origin);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

export interface TabOptions {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  /** The token that the tab has already stored. */
  readonly token?: string;
}
