import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER, launchBrowser, WatchedTab } from '../support/console-browser.js';
import { insertChunk } from '../support/database-inspection.js';
import { type ModelEndpoint, startModelEndpoint } from '../support/model-endpoint.js';
import { answering } from '../support/model-endpoint-replies.js';
import { type RunningService, startService } from '../support/running-service.js';
import { TempProject } from '../support/temp-project.js';

const LONG = Array.from(
  { length: 12 },
  (_, index) =>
    `## Rule ${index}\nKeep transactions short. ${'Readers wait otherwise. '.repeat(8)}`,
).join('\n\n');
const SUMMARY = LONG.replace(/(Readers wait otherwise\. ){8}/g, 'Readers wait. ');

describe.skipIf(BROWSER === undefined)('upkeep in the console', () => {
  let endpoint: ModelEndpoint;
  let service: RunningService;
  let browser: Browser;
  let project: TempProject;
  beforeAll(async () => {
    endpoint = await startModelEndpoint(answering(SUMMARY));
    service = await startService({ OPENAI_BASE_URL: endpoint.baseUrl, OPENAI_MODEL: 'any' });
    browser = await launchBrowser();
    project = new TempProject({ '.knowledge/memory/database.md': LONG });
    await fetch(`${service.url}/api/knowledge/rebuild`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ projectPath: project.path }),
    });
    insertChunk(project.database, {
      id: 'old.md#0',
      source_file: 'old.md',
      content: 'nobody asked',
      created_at: '2020-01-01T00:00:00.000Z',
    });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await endpoint.close();
  });

  async function visit(fields: string) {
    const tab = await WatchedTab.open(browser, service.url);
    await tab.page.goto(`${service.url}/#/upkeep?project=${project.path}${fields}`);
    return tab;
  }

  test('shows what pruning would delete and why, and deletes it after a confirmed click', async () => {
    const { page, faults } = await visit('');
    const pruning = page.getByRole('region', { name: 'Prune' });
    await pruning.getByText('old.md#0').waitFor();
    expect(
      await pruning.getByText(/^Never retrieved, and unused since 2020-01-01/).isVisible(),
    ).toBe(true);
    await pruning.getByRole('button', { name: 'Delete 1 chunk …' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await pruning.getByText('old.md#0').isVisible()).toBe(true);
    await pruning.getByRole('button', { name: 'Delete 1 chunk …' }).click();
    await page.getByRole('button', { name: 'Delete 1 chunk', exact: true }).click();
    await pruning.getByText('1 chunk deleted.').waitFor();
    await pruning.getByText('Nothing to prune.').waitFor();
    expect(faults).toEqual([]);
  });

  test('shows the old and the new text of a category side by side, and puts the old one back', async () => {
    const { page, faults } = await visit('&category=database&threshold=100');
    await page.getByText(/^It is over the threshold/).waitFor();
    await page.getByRole('button', { name: 'Summarize …' }).click();
    await page.getByRole('button', { name: 'Summarize', exact: true }).click();
    const after = page.getByRole('region', { name: 'Text after' });
    await after.getByText('Readers wait.').waitFor();
    const before = page.getByRole('region', { name: 'Text before' });
    expect(await before.textContent()).toContain('Readers wait otherwise.');
    await page.getByRole('button', { name: 'Put the old text back' }).click();
    await page.getByText('The text from before stands there again.').waitFor();
    expect(faults).toEqual([]);
  });
});
