import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER, type WatchedTab } from '../support/console-browser.js';
import { ConsoleWorld, hasRealService } from '../support/console-world.js';

if (!hasRealService) console.warn('Without ../shared the console is not tested in a browser.');

describe.skipIf(BROWSER === undefined || !hasRealService)('the search lab', () => {
  let world: ConsoleWorld;
  let tab: WatchedTab;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    await world.fill(50);
  });
  afterEach(async () => {
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
  afterAll(() => world.stop());

  test('answers while somebody types, with the words marked and what ranked each result', async () => {
    tab = await world.visit('search');
    await tab.page.getByLabel('Query').waitFor();
    await tab.page.keyboard.press('/');
    await tab.page.keyboard.type('authentication tokens');
    const first = tab.page.getByRole('list').getByRole('listitem').first();
    await first.waitFor();
    expect(await first.locator('mark').first().textContent()).toMatch(/^(auth|token)/i);
    for (const bar of ['keyword', 'meaning', 'score', 'relevance']) {
      expect(await first.getByText(bar, { exact: true }).isVisible()).toBe(true);
    }
    expect(await tab.page.getByText('Read as plain words').isVisible()).toBe(true);
    expect(tab.page.url()).toContain('q=authentication+tokens');
  });

  test('shows from its address alone what somebody else has seen', async () => {
    const fields = { q: 'database', tokens: '600', types: 'agent_output', fusion: 'blend' };
    tab = await world.visit('search', fields);
    await tab.page.getByText(/of 600 tokens used · \d+ cut/).waitFor();
    expect(await tab.page.getByLabel('Query').inputValue()).toBe('database');
    expect(await tab.page.getByLabel('Fusion').inputValue()).toBe('blend');
    expect(await tab.page.getByLabel('Agent output').isChecked()).toBe(true);
    const types = await tab.page.locator('.hit .type').allTextContents();
    expect(new Set(types)).toEqual(new Set(['Agent output']));
  });

  test('shows the same results as the search of an agent, and marks what the budget cuts', async () => {
    tab = await world.visit('search', { q: 'error handling', tokens: '900' });
    await tab.page.getByRole('listitem').first().waitFor();
    const kept = await tab.page.locator('.hit[data-cut="false"] h3 a').count();
    const response = await fetch(`${world.service.url}/api/knowledge/search`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ projectPath: world.project, query: 'error handling', maxTokens: 900 }),
    });
    const { results } = (await response.json()) as { results: readonly unknown[] };
    expect(kept).toBe(results.length);
    expect(await tab.page.getByText('cut', { exact: true }).count()).toBeGreaterThan(0);
  });

  test('compares two modes, with arrows for what moved', async () => {
    tab = await world.visit('search', { q: 'how are errors shown to the user' });
    await tab.page.getByLabel('Compare two modes').check();
    const second = tab.page.getByRole('region', { name: 'Second mode' });
    await second.getByRole('listitem').first().waitFor();
    expect(await second.getByText(/^(up|down) $/).count()).toBeGreaterThan(0);
    expect(tab.page.url()).toContain('compare=1');
  });

  test('gives the search as curl that a shell runs as it is written', async () => {
    tab = await world.visit('search', { q: `it's "quoted" $HOME` });
    await tab.page.getByText('Copy this search').click();
    const code = await tab.page.getByRole('region', { name: 'curl' }).locator('pre').textContent();
    expect(code).toContain(`it'\\''s \\"quoted\\" $HOME`);
    await tab.page.getByRole('button', { name: 'Copy as MCP call' }).click();
  });

  test('is used by keyboard alone: / to the field, arrows through results, Enter to open', async () => {
    tab = await world.visit('search', { q: 'database' });
    await tab.page.getByRole('listitem').first().waitFor();
    await tab.page.keyboard.press('/');
    await tab.page.keyboard.press('ArrowDown');
    await tab.page.keyboard.press('ArrowDown');
    const focused = tab.page.locator('.hit:nth-child(2) h3 a:focus');
    expect(await focused.count()).toBe(1);
    await tab.page.keyboard.press('Enter');
    expect(tab.page.url()).toContain('#/chunk?');
  });

  test('says in place of results that the service is gone', async () => {
    tab = await world.visit('search', { project: '/no/such/project' });
    await tab.page.getByRole('alert').waitFor();
    expect(await tab.page.getByRole('alert').textContent()).toMatch(/does not exist|directory/);
    tab.faults.length = 0; // The browser itself notes the 404.
  });
});
