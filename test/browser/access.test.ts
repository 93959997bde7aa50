import { afterEach, describe, expect, test } from 'vitest';
import { BROWSER, launchBrowser, WatchedTab } from '../support/console-browser.js';
import { type RunningService, startService } from '../support/running-service.js';
import { TempProject } from '../support/temp-project.js';

const HTML = { headers: { Accept: 'text/html' } } as const;

let service: RunningService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

describe('a browser finds at /', () => {
  test('the console, with a strict policy and assets that never change', async () => {
    service = await startService();
    const shell = await fetch(service.url, HTML);
    const text = await shell.text();
    expect(shell.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/,
    );
    expect(text).not.toMatch(/<script(?![^>]* src=)|style=|https?:/);
    const assets = [...text.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) {
      const asset = await fetch(service.url + path);
      expect(asset.headers.get('cache-control')).toContain('immutable');
      expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test.each([{ KNOWLEDGE_CONSOLE: '0' }, { KNOWLEDGE_VARIANT: 'search-only' }])(
    'the description of the API, with %j',
    async (environment) => {
      service = await startService(environment);
      const text = await (await fetch(service.url, HTML)).text();
      expect(text).toContain('<title>API');
    },
  );

  test('nothing, from a page of another origin', async () => {
    service = await startService();
    const headers = { ...HTML.headers, 'Sec-Fetch-Site': 'cross-site' };
    expect((await fetch(service.url, { headers })).status).toBe(403);
  });
});

describe.skipIf(BROWSER === undefined)('a console whose service has a token', () => {
  test('asks for it, refuses a wrong one, and keeps it for the tab only', async () => {
    const project = new TempProject({ 'docs/a.md': '## Owls\nOwls see at night.' });
    service = await startService({ KNOWLEDGE_TOKEN: 'the token' });
    const browser = await launchBrowser();
    const tab = await WatchedTab.open(browser, service.url);
    await tab.page.goto(`${service.url}/#/search?project=${project.path}&q=owls`);
    const enter = async (token: string) => {
      await tab.page.getByLabel('Token').fill(token);
      await tab.page.getByRole('button', { name: 'Continue' }).click();
    };
    await enter('a wrong one');
    await tab.page.getByText('The service does not know this token.').waitFor();
    await enter('the token');
    await tab.page.getByLabel('Query').waitFor();
    expect(await tab.page.evaluate('JSON.stringify(localStorage)')).not.toContain('the token');
    expect(await tab.page.evaluate('document.cookie')).toBe('');
    expect(tab.page.url()).not.toContain('token');
    await browser.close();
  });
});
