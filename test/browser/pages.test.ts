import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER, type WatchedTab } from '../support/console-browser.js';
import { HOSTILE_HEADING, hostileMarkdown } from '../support/console-hostile.js';
import { ConsoleWorld, hasRealService } from '../support/console-world.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(BROWSER === undefined || !hasRealService)('the console', () => {
  let world: ConsoleWorld;
  let tab: WatchedTab;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    world.write('docs/hostile.md', hostileMarkdown());
    world.write('.automaker/features/evil/reflection.md', hostileMarkdown());
    await world.fill(1);
  });
  afterEach(async () => {
    await tab.close();
  });
  afterAll(() => world.stop());

  const HOSTILE_CHUNK = 'docs/hostile.md#0';
  /** Every page, with what shows that it is complete. */
  const PAGES = [
    ['search', { q: 'database errors', compare: '1', fusion2: 'blend' }, 'Second'],
    ['project', {}, 'Sources'],
    ['chunk', { id: '.automaker/memory/architecture.md#1' }, 'Neighbours by meaning'],
    ['lessons', {}, 'A feature that is about to begin'],
    ['upkeep', { threshold: '100' }, 'Compaction of memory'],
  ] as const;

  describe.each(['light', 'dark'] as const)('in its %s theme', (theme) => {
    test.each(PAGES)(
      'has nothing on the page %s that axe objects to',
      async (page, fields, last) => {
        tab = await world.visit(page, fields, { theme });
        await tab.page.getByRole('heading', { name: last }).waitFor();
        await tab.page.waitForLoadState('networkidle');
        await tab.page.evaluate(AXE);
        const violations = await tab.page.evaluate(
          `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
        );
        expect(violations).toEqual([]);
        expect(tab.faults).toEqual([]);
      },
    );
  });

  test.each([400, 2560])('fits into %d pixels, without scrolling sideways', async (width) => {
    for (const [page, fields, last] of PAGES) {
      tab = await world.visit(page, fields, { width });
      await tab.page.getByRole('heading', { name: last }).waitFor();
      const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await tab.page.evaluate(wider), page).toBe(0);
      expect(tab.faults).toEqual([]);
      await tab.close();
    }
  });

  test.each([
    ['search', { q: 'zzhostile', candidates: 'union' }],
    ['project', { order: 'source', file: 'docs/hostile.md' }],
    ['chunk', { id: HOSTILE_CHUNK }],
    ['lessons', { title: 'zzhostile' }],
    ['upkeep', {}],
  ])('shows hostile chunks as text on the page %s', async (page, fields) => {
    tab = await world.visit(page, fields);
    if (page === 'lessons')
      await tab.page.getByRole('button', { name: 'Show the lessons' }).click();
    if (page !== 'upkeep') await tab.page.getByText(HOSTILE_HEADING).first().waitFor();
    expect(await tab.page.evaluate('window.hacked')).toBeUndefined();
    expect(
      await tab.page.locator('main :is(img, script, iframe, a[href^="javascript:"])').count(),
    ).toBe(0);
    const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await tab.page.evaluate(wider)).toBe(0);
    expect(tab.faults).toEqual([]);
  });

  test('shows a project: figures, the map, the lists, and a chunk behind a link', async () => {
    tab = await world.visit('project', { order: 'longest' });
    await tab.page.getByRole('img', { name: /chunks by meaning/ }).waitFor();
    await tab.page.getByRole('combobox', { name: 'Type' }).selectOption('agent_output');
    const first = tab.page
      .getByRole('table')
      .filter({ hasText: 'Changed' })
      .getByRole('link')
      .first();
    await tab.page.getByText('1 to 10 of 108 chunks').waitFor();
    await first.click();
    await tab.page.getByRole('heading', { name: 'History' }).waitFor();
    expect(await tab.page.getByText('Agent output', { exact: true }).isVisible()).toBe(true);
    expect(tab.faults).toEqual([]);
  });

  test('gives the lessons for a feature, with their tokens and sources', async () => {
    tab = await world.visit('lessons');
    await tab.page.getByLabel('Title').fill('Admin dashboard for users');
    await tab.page.getByRole('button', { name: 'Show the lessons' }).click();
    await tab.page.getByText('## Lessons from Similar Features').waitFor();
    expect(await tab.page.getByText(/^[\d,]+ tokens · found by a search/).isVisible()).toBe(true);
    expect(tab.faults).toEqual([]);
  });

  test('rebuilds and examines a store only after a confirmed click', async () => {
    tab = await world.visit('upkeep');
    await tab.page.getByText('Nothing to prune.').waitFor();
    await tab.page.getByRole('button', { name: 'Rebuild …' }).click();
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
    await tab.page.getByText(/^Done: [\d,]+ chunks of \d+ sources\.$/).waitFor();
    await tab.page.getByRole('button', { name: 'Examine the store' }).click();
    await tab.page.getByText('The store is healthy.').waitFor();
    expect(tab.faults).toEqual([]);
  });

  test('is small: its first view is below 100 kB, compressed, and comes from the service alone', async () => {
    const sizes: number[] = [];
    tab = await world.visit('search');
    tab.page.on('response', async (response) => sizes.push(gzipSync(await response.body()).length));
    await tab.page.reload({ waitUntil: 'networkidle' });
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(100_000);
  });
});
