import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER, type TabOptions, type WatchedTab } from '../support/console-browser.js';
import { ConsoleWorld, hasRealService } from '../support/console-world.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

if (!hasRealService) console.warn('Without ../shared the console is not tested on a real project.');

describe.skipIf(BROWSER === undefined || !hasRealService)('the console on a real project', () => {
  let world: ConsoleWorld;
  let tab: WatchedTab;
  beforeAll(async () => {
    world = await ConsoleWorld.startReal();
    await world.post('/api/knowledge/rebuild');
    await world.embedded(50);
  });
  afterEach(async () => {
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
  afterAll(() => world.stop());

  const visit = async (page: string, fields: Fields = {}, options: TabOptions = {}) => {
    tab = await world.visit(page, fields, options);
    return tab.page;
  };

  test('answers with the words marked and what ranked each result', async () => {
    const page = await visit('search', { q: 'authentication tokens' });
    const first = page.getByRole('list').getByRole('listitem').first();
    await first.waitFor();
    expect(await first.locator('mark').first().textContent()).toMatch(/^(auth|token)/i);
    for (const bar of ['keyword', 'meaning', 'score']) {
      expect(await first.getByText(bar, { exact: true }).isVisible()).toBe(true);
    }
    expect(await page.getByText('Read as plain words').isVisible()).toBe(true);
  });

  test('shows the same page from its address alone', async () => {
    const fields = { q: 'database', tokens: '600', types: 'agent_output', fusion: 'blend' };
    const page = await visit('search', fields);
    await page.getByText(/of 600 tokens used · \d+ cut/).waitFor();
    expect(await page.getByLabel('Query').inputValue()).toBe('database');
    expect(await page.getByLabel('Fusion').inputValue()).toBe('blend');
    expect(await page.getByLabel('Agent output').isChecked()).toBe(true);
    const types = await page.locator('.hit .type').allTextContents();
    expect(new Set(types)).toEqual(new Set(['Agent output']));
  });

  test('shows the same results as the search of an agent, and marks what the budget cuts', async () => {
    const page = await visit('search', { q: 'error handling', tokens: '900' });
    await page.getByRole('listitem').first().waitFor();
    const kept = await page.locator('.hit[data-cut="false"] h3 a').count();
    const search = { query: 'error handling', maxTokens: 900 };
    const { results } = await world.post('/api/knowledge/search', search);
    expect(kept).toBe(results.length);
    expect(await page.getByText('cut', { exact: true }).count()).toBeGreaterThan(0);
  });

  test('compares two modes, with arrows for what moved', async () => {
    const page = await visit('search', { q: 'how are errors shown to the user' });
    await page.getByLabel('Compare two modes').check();
    const second = page.getByRole('region', { name: 'Second mode' });
    await second.getByRole('listitem').first().waitFor();
    expect(await second.getByText(/^(up|down) $/).count()).toBeGreaterThan(0);
    expect(page.url()).toContain('compare=1');
  });

  test('shows the search as a curl command that a shell can run, as library code and as an MCP call', async () => {
    const page = await visit('search', { q: `it's "quoted" $HOME` });
    await page.getByText('Copy this search').click();
    const code = await page.getByRole('region', { name: 'curl' }).locator('pre').textContent();
    expect(code).toContain(`it'\\''s \\"quoted\\" $HOME`);
    expect(await page.getByRole('region', { name: 'Library' }).textContent()).toContain(
      'store.find(',
    );
    await page.getByRole('button', { name: 'Copy as MCP call' }).click();
  });

  test('is used by keyboard alone: / to the field, arrows through results, Enter to open', async () => {
    const page = await visit('search', { q: 'database' });
    await page.getByRole('listitem').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('.hit:nth-child(2) h3 a:focus').count()).toBe(1);
    await page.keyboard.press('Enter');
    expect(page.url()).toContain('#/chunk?');
  });

  test('shows instead of a page that there is no such project', async () => {
    const page = await visit('search', { project: '/no/such/project' });
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/does not exist|directory/);
    tab.faults.length = 0; // The browser itself notes the 404.
  });

  test('shows a project: figures, lists, and a linked chunk', async () => {
    const page = await visit('project', { order: 'longest' });
    await page.getByRole('combobox', { name: 'Type' }).selectOption('agent_output');
    await page.getByText('1 to 10 of 108 chunks').waitFor();
    const table = page.getByRole('table').filter({ hasText: 'Changed' });
    await table.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(await page.getByText('Agent output', { exact: true }).isVisible()).toBe(true);
  });

  test('shows the lessons for a feature, with their tokens and sources', async () => {
    const page = await visit('lessons');
    await page.getByLabel('Title').fill('Admin dashboard for users');
    await page.getByRole('button', { name: 'Show the lessons' }).click();
    await page.getByText('## Lessons from Similar Features').waitFor();
    expect(await page.getByText(/^[\d,]+ tokens · found by a search/).isVisible()).toBe(true);
  });

  test('rebuilds and examines a store only after a confirmed click', async () => {
    const page = await visit('upkeep');
    await page.getByText('Nothing to prune.').waitFor();
    await page.getByRole('button', { name: 'Rebuild …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
    await page.getByText(/^Done: [\d,]+ chunks of \d+ sources\.$/).waitFor();
    await page.getByRole('button', { name: 'Examine the store' }).click();
    await page.getByText('The store is sound.').waitFor();
  });

  /** Every page, with what shows that it is complete. */
  const PAGES = [
    ['search', { q: 'database errors', compare: '1', profile2: 'specified' }, 'Second'],
    ['project', {}, 'Sources'],
    ['chunk', { id: '.automaker/memory/architecture.md#1' }, 'Neighbours by meaning'],
    ['notes', { note: 'new' }, 'New note'],
    ['sessions', {}, 'Sessions'],
    ['lessons', {}, 'Your next task'],
    ['upkeep', { threshold: '100' }, 'Compaction of memory'],
    ['api', {}, 'Schemas'],
  ] as const;

  describe.each(['light', 'dark'] as const)('in its %s theme', (theme) => {
    test.each(PAGES)(
      'fits on the page %s into every width, and axe has no objection',
      async (name, fields, last) => {
        const page = await visit(name, fields, { theme });
        await page.getByRole('heading', { name: last, exact: true }).first().waitFor();
        await page.waitForLoadState('networkidle');
        await page.evaluate(AXE);
        for (const width of [400, 1280, 2560]) {
          await page.setViewportSize({ width, height: 900 });
          const violations = await page.evaluate(
            `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
          );
          expect(violations).toEqual([]);
          const wider =
            'document.documentElement.scrollWidth - document.documentElement.clientWidth';
          expect(await page.evaluate(wider)).toBe(0);
        }
      },
    );
  });
});

type Fields = Readonly<Record<string, string>>;
