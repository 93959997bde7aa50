import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER, type WatchedTab } from '../support/console-browser.js';
import { ConsoleWorld } from '../support/console-world.js';
import { eventually } from '../support/running-service.js';
import { TempProject } from '../support/temp-project.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** As narrow as a telephone. */
const NARROW = 400;

const NOTE = {
  first:
    '---\ntags: [zzpool, zzops]\ncites: [src/pool.ts]\n---\n# Pool size\n\nFour connections.\n',
  replaced: '# Old release day\n\nFridays.\n',
  newer: '---\nsupersedes: old-release-day\n---\n# Release day\n\nThursdays.\n',
  expired: '---\nexpires: 2020-05-01\ntags: [zzops]\n---\n# Freeze\n\nNo releases now.\n',
};

const FILES = {
  '.knowledge/notes/pool-size.md': NOTE.first,
  '.knowledge/notes/old-release-day.md': NOTE.replaced,
  '.knowledge/notes/release-day.md': NOTE.newer,
  '.knowledge/notes/freeze.md': NOTE.expired,
  '.knowledge/notes/evil.md':
    '# <img src=x onerror="window.hacked=1">\n\n<b onclick="a()">zz</b>\n',
  'src/pool.ts': 'export const pool = 1;\n',
};

describe.skipIf(BROWSER === undefined)('the notes of the console', () => {
  let world: ConsoleWorld;
  let tab: WatchedTab;
  let project: TempProject;
  beforeAll(async () => {
    project = new TempProject(FILES);
    world = await ConsoleWorld.start(project.path, {});
    await world.post('/api/knowledge/rebuild');
    project.write('src/pool.ts', 'export const pool = 2;\n');
    const query = new URLSearchParams({ projectPath: world.project });
    await eventually(async () => (await world.get(`/api/knowledge/x/stale?${query}`)).chunks[0]);
  });
  afterEach(async () => {
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
  afterAll(() => world.stop());

  const visit = async (fields: Record<string, string> = {}, width = NARROW) => {
    tab = await world.visit('notes', fields, { width });
    return tab.page;
  };
  const addNote = async (title: string, content: string) => {
    const saved = await world.post('/api/knowledge/x/notes', { title, content });
    return { ...saved, path: `/api/knowledge/x/notes/${saved.id}` };
  };
  const contentOf = async (path: string) => {
    const query = new URLSearchParams({ projectPath: world.project });
    return (await world.get(`${path}?${query}`)).content;
  };

  test('lists notes with tags, age and the marks stale, replaced and expired', async () => {
    const page = await visit();
    const entry = (title: string) => page.getByRole('listitem').filter({ hasText: title });
    await entry('Pool size').getByText('stale').waitFor();
    expect(await entry('Pool size').getByText('zzpool').isVisible()).toBe(true);
    expect(await entry('Pool size').locator('time').first().textContent()).toMatch(/now|ago/);
    expect(await entry('Old release day').textContent()).toContain('replaced by release-day');
    expect(await entry('Freeze').textContent()).toContain('expired 2020-05-01');
  });

  test('finds notes by text, tag and state, and keeps the filter in the address', async () => {
    const page = await visit();
    const titles = () => page.locator('.entries button').allTextContents();
    await page.getByLabel('Find').fill('release old');
    await page.getByText('1 of 5 notes').waitFor();
    expect(await titles()).toEqual(['Old release day']);
    await page.getByLabel('Find').fill('');
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('zzops');
    await page.getByText('2 of 5 notes').waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption('expired');
    await page.getByText('1 of 5 notes').waitFor();
    expect(await titles()).toEqual(['Freeze']);
    expect(page.url()).toMatch(/tag=zzops.*state=expired/);
  });

  test('shows a preview in which nothing of the note is HTML', async () => {
    const page = await visit({ note: '.knowledge/notes/evil.md' });
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('<b onclick="a()">zz</b>').waitFor();
    expect(await page.locator('main :is(img, script, b)').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('writes, corrects and deletes a note on a narrow screen', async () => {
    const page = await visit();
    await page.getByRole('button', { name: 'New note' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Deploy window');
    await page.getByLabel('Tags, separated by commas').fill('ops, zz deploy');
    await page.getByLabel('Text, as Markdown').fill('Between **six** and seven.');
    expect(await isInView(page, 'Text, as Markdown')).toBe(true);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.preview strong').getByText('six').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'deploy-window' }).waitFor();
    await page.getByText('Saved. Searches find it now.').waitFor();
    await page.getByLabel('Text, as Markdown').fill('Between seven and eight.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. Searches find it now.').waitFor();
    const text = readFileSync(`${world.project}/.knowledge/notes/deploy-window.md`, 'utf8');
    expect(text).toMatch(/tags: \["ops","zz deploy"\][\s\S]*Between seven and eight\./);
    await page.getByRole('button', { name: 'Delete the note …' }).click();
    await page.getByRole('button', { name: 'Delete the note', exact: true }).click();
    await page.getByRole('button', { name: 'Deploy window' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New note' }).waitFor();
  });

  test('keeps the typed text and shows both versions if an agent has changed the note', async () => {
    const note = await addNote('Retry policy', 'Three retries.\n\nNo jitter.');
    const page = await visit({ note: note.sourceFile });
    await page.getByLabel('Text, as Markdown').fill('Five retries.\n\nNo jitter.');
    const changed = { content: 'Three retries.\n\nFull jitter.', tags: ['zzagent'] };
    await world.change('PATCH', note.path, changed);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const theirs = page.getByRole('region', { name: 'As it is now' });
    await theirs.getByText('Full jitter.').waitFor();
    expect(await theirs.locator('mark').allTextContents()).toContain('Full jitter.');
    expect(await page.getByRole('region', { name: 'Yours' }).textContent()).toContain('Five');
    const field = page.getByLabel('Text, as Markdown');
    expect(await field.inputValue()).toBe('Five retries.\n\nNo jitter.');
    expect(await contentOf(note.path)).toBe(changed.content);
    expect(await page.getByLabel('Tags, separated by commas').inputValue()).toBe('zzagent');

    await page.getByRole('button', { name: 'Use the other text' }).click();
    expect(await field.inputValue()).toBe(changed.content);
    await page.getByRole('button', { name: 'Back to my text' }).click();
    await field.fill('Five retries.\n\nFull jitter.');
    await page.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Saved. Searches find it now.').waitFor();
    expect(await contentOf(note.path)).toBe('Five retries.\n\nFull jitter.');
    tab.faults.length = 0; // The browser itself notes the 409.
  });

  test('does not delete a note that an agent has changed', async () => {
    const note = await addNote('Cache keys', 'By tenant.');
    const page = await visit({ note: note.sourceFile });
    await page.getByLabel('Text, as Markdown').waitFor();
    await world.change('PATCH', note.path, { append: 'And by region.' });
    await page.getByRole('button', { name: 'Delete the note …' }).click();
    await page.getByRole('button', { name: 'Delete the note', exact: true }).click();
    await page.getByRole('region', { name: 'As it is now' }).getByText('region').waitFor();
    expect(await contentOf(note.path)).toContain('And by region.');
    tab.faults.length = 0; // The browser itself notes the 409.
  });

  test('writes a note again that an agent has deleted while it was edited', async () => {
    const note = await addNote('Log format', 'JSON lines.');
    const page = await visit({ note: note.sourceFile });
    await page.getByLabel('Text, as Markdown').fill('JSON lines, in UTC.');
    await world.change('DELETE', note.path);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Someone else deleted this note').waitFor();
    expect(await page.getByLabel('Text, as Markdown').inputValue()).toBe('JSON lines, in UTC.');
    await page.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Saved. Searches find it now.').waitFor();
    expect(await contentOf(note.path)).toBe('JSON lines, in UTC.');
    tab.faults.length = 0; // The browser itself notes the 404.
  });

  /** Ways out of a note, at a width where the list stands beside it. */
  test.each([
    ['another note', (page: Page) => page.getByRole('button', { name: 'Freeze' }).click()],
    ['another page', (page: Page) => page.getByRole('link', { name: 'Upkeep' }).click()],
    ['the page before', (page: Page) => page.goBack()],
  ])('asks before %s takes the place of unsaved text', async (_, leave) => {
    tab = await world.visit('upkeep');
    const { page } = tab;
    await page.getByRole('link', { name: 'Notes' }).click();
    await page.getByRole('button', { name: 'Pool size' }).click();
    const field = page.getByLabel('Text, as Markdown');
    await field.fill('Eight connections.');
    await leave(page);
    const question = page.getByRole('dialog', { name: 'Unsaved text' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    expect(await field.inputValue()).toBe('Eight connections.');
    expect(page.url()).toContain('pool-size');
    await leave(page);
    await question.getByRole('button', { name: 'Discard and leave' }).click();
    await page.getByText('Eight connections.').waitFor({ state: 'detached' });
    expect(readFileSync(`${world.project}/.knowledge/notes/pool-size.md`, 'utf8')).toBe(NOTE.first);
  });

  test('also asks if the user goes back a moment after typing', async () => {
    tab = await world.visit('upkeep');
    const { page } = tab;
    await page.getByRole('link', { name: 'Notes' }).click();
    await page.getByRole('button', { name: 'Pool size' }).click();
    await page.getByLabel('Text, as Markdown').waitFor();
    await page.evaluate(`(async () => {
      const field = document.querySelector('textarea');
      field.value = 'Eight connections.';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 0));
      history.back();
    })()`);
    await page.getByRole('dialog', { name: 'Unsaved text' }).waitFor({ timeout: 5000 });
  });

  test('says why a note cannot be saved', async () => {
    const page = await visit({ note: '.knowledge/notes/freeze.md' }, 1280);
    await page.getByText('Nothing changed').waitFor();
    await page.getByLabel('Title').fill(' ');
    await page.getByText('Not saved yet: needs a title', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'New note' }).click();
    await page.getByRole('button', { name: 'Discard and leave' }).click();
    await page.getByText('Needs a title and a text').waitFor();
  });

  test('warns before the tab is closed with unsaved text', async () => {
    const page = await visit({ note: '.knowledge/notes/freeze.md' });
    const mayClose = () =>
      page.evaluate(`dispatchEvent(new Event('beforeunload', { cancelable: true }))`);
    await page.getByLabel('Text, as Markdown').waitFor();
    expect(await mayClose()).toBe(true);
    await page.getByLabel('Text, as Markdown').fill('Releases again.');
    await page.getByText('Not saved yet').waitFor();
    await expect.poll(mayClose).toBe(false);
  });

  test.each(['light', 'dark'] as const)('has no fault that axe finds, %s', async (theme) => {
    const note = await addNote(`Axe ${theme}`, 'Before.');
    const fields = { note: note.sourceFile };
    tab = await world.visit('notes', fields, { width: NARROW, theme });
    const { page } = tab;
    await page.getByLabel('Text, as Markdown').fill('Mine.');
    await world.change('PATCH', note.path, { content: 'Theirs.' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('region', { name: 'As it is now' }).waitFor();
    await page.evaluate(AXE);
    for (const width of [NARROW, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const violations = await page.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
      );
      expect(violations).toEqual([]);
      const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(wider)).toBe(0);
    }
    tab.faults.length = 0; // The browser itself notes the 409.
  });
});

/** Whether a field can be seen without scrolling. */
async function isInView(page: Page, label: string): Promise<boolean> {
  const box = await page.getByLabel(label).boundingBox();
  return box !== null && box.y >= 0 && box.y < 900;
}
