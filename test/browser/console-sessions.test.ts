import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  renderExchange,
  renderSessionHead,
  type SessionDescription,
} from '../../src/domain/sessions/session-file.js';
import { BROWSER, type WatchedTab } from '../support/console-browser.js';
import { ConsoleWorld } from '../support/console-world.js';
import { TempProject } from '../support/temp-project.js';

const HOSTILE = '<img src=x onerror="window.hacked=1"> [go](javascript:window.hacked=1)';

const FILES = {
  ...sessionFile('2026-11-03-a1', { agent: 'claude', branch: 'fix/tz' }, [
    ['Why does the **quokka** test fail?', 'It needs `TZ=UTC`.\n\n```sh\n## no heading\n```'],
    [HOSTILE, `# Not a title\n${HOSTILE}`],
  ]),
  ...sessionFile('2026-11-03-a1-2', { agent: 'claude' }, [['And now?', 'Now it passes.']]),
  ...sessionFile('2026-11-05-b2', { agent: 'codex' }, [['Add a wombat', 'Added.']]),
};

describe.skipIf(BROWSER === undefined)('the sessions of the console', () => {
  let world: ConsoleWorld;
  let tab: WatchedTab;
  beforeAll(async () => {
    world = await ConsoleWorld.start(new TempProject(FILES).path, {});
    await world.post('/api/knowledge/rebuild');
  });
  afterEach(async () => {
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
  afterAll(() => world.stop());

  const visit = async (fields: Record<string, string> = {}, width = 400) => {
    tab = await world.visit('sessions', fields, { width });
    return tab.page;
  };

  test('are listed with agent, date and first words, and found by agent and date', async () => {
    const page = await visit();
    const titles = () => page.locator('.entries a').allTextContents();
    await page.getByText('Add a wombat').waitFor();
    expect(await titles()).toEqual(['Add a wombat', 'Why does the **quokka** test fail?']);
    const entry = page.getByRole('listitem').filter({ hasText: 'quokka' });
    expect(await entry.textContent()).toMatch(/Claude Code.*2026-11-03 10:00.*branch fix\/tz/);
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('claude');
    await page.getByText('Add a wombat').waitFor({ state: 'detached' });
    await page.getByLabel('To', { exact: true }).fill('2026-11-02');
    await page.getByText('No session matches.').waitFor();
    expect(page.url()).toMatch(/agent=claude.*until=2026-11-02/);
  });

  test('are read exchange by exchange, and part by part', async () => {
    const page = await visit();
    await page.getByRole('link', { name: 'quokka' }).click();
    const first = page.locator('.exchange').first();
    await first.locator('code', { hasText: 'TZ=UTC' }).waitFor();
    expect(await first.locator('time').textContent()).toBe('2026-11-03 10:00');
    expect(await first.locator('pre').textContent()).toContain('## no heading');
    expect(await page.locator('.exchange').count()).toBe(2);
    expect(await page.getByRole('paragraph').filter({ hasText: 'fix/tz' }).count()).toBe(1);
    await page.getByRole('link', { name: 'Part 2' }).first().click();
    await page.getByText('Now it passes.').waitFor();
  });

  test('show messages as text, at any width', async () => {
    const page = await visit({ file: '.knowledge/sessions/2026-11-03-a1.md' });
    await page.locator('.exchange').nth(1).getByText('<img src=x').first().waitFor();
    expect(await page.locator('main :is(img, script, a[href^="javascript:"])').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(wider)).toBe(0);
  });
});

type Said = readonly [prompt: string, answer: string];

/** A session file as the product writes it; each exchange begins a minute after the one before. */
function sessionFile(name: string, more: Partial<SessionDescription>, said: readonly Said[]) {
  const at = (minute: number) => `${name.slice(0, 10)}T10:0${minute}:00.000Z`;
  const head = renderSessionHead({
    agent: 'claude',
    session: name.slice(11),
    started: at(0),
    ended: at(said.length),
    title: said[0]?.[0] ?? '',
    ...more,
  });
  const exchanges = said.map(([prompt, answer], minute) => {
    const message = (role: 'user' | 'assistant', text: string) =>
      ({ role, text, at: at(minute), keys: [] }) as const;
    const prompts = [message('user', prompt)];
    return renderExchange({ prompts, answers: [message('assistant', answer)] });
  });
  return { [`.knowledge/sessions/${name}.md`]: head + exchanges.join('') };
}
