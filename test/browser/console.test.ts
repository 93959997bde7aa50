import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER, type TabOptions, type WatchedTab } from '../support/console-browser.js';
import { ConsoleWorld } from '../support/console-world.js';
import { insertChunk } from '../support/database-inspection.js';
import { type ModelEndpoint, startModelEndpoint } from '../support/model-endpoint.js';
import { answering } from '../support/model-endpoint-replies.js';
import { TempProject } from '../support/temp-project.js';

/** What each check looks at, on a small project; `npm run test:console` has the rest, on a real one. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a chunk says that means no good. */
const HOSTILE_HEADING = 'zzhostile <img src=x onerror="window.hacked=1">';

const LONG = Array.from(
  { length: 12 },
  (_, index) =>
    `## Rule ${index}\nKeep transactions short. ${'Readers wait otherwise. '.repeat(8)}`,
).join('\n\n');
const SUMMARY = LONG.replace(/(Readers wait otherwise\. ){8}/g, 'Readers wait. ');

const FILES = {
  '.knowledge/memory/database.md': LONG,
  '.knowledge/memory/evil.md': hostileMarkdown(),
  '.knowledge/features/evil/reflection.md': hostileMarkdown(),
  'docs/hostile.md': hostileMarkdown(),
  'docs/cites.md': `## ${HOSTILE_HEADING}\nSee \`src/pool.ts\`.\n`,
  'docs/rendered.md':
    '## Text\n**loud** [a link](docs/x.md) ![a picture](http://localhost/x.png)\n\n- first\n\n## Next\nmore\n',
  'docs/code.md': '## Code\n**Run** it:\n\n```sh\n# zzcomment **as it is**\n```\n',
  'src/pool.ts': 'export const pool = 1;\n',
};

/** Another program may give a chunk any id. */
const OLD = `${HOSTILE_HEADING}#0`;

const OLD_NOTE = '.knowledge/notes/old.md#0';

const TOKEN = 'the token';

describe.skipIf(BROWSER === undefined)('the console', () => {
  let endpoint: ModelEndpoint;
  let world: ConsoleWorld;
  let tab: WatchedTab;
  beforeAll(async () => {
    endpoint = await startModelEndpoint(answering(SUMMARY));
    const project = new TempProject(FILES);
    world = await ConsoleWorld.start(project.path, {
      OPENAI_BASE_URL: endpoint.baseUrl,
      OPENAI_MODEL: 'any',
      KNOWLEDGE_TOKEN: TOKEN,
    });
    await world.post('/api/knowledge/rebuild');
    const old = { id: OLD, source_file: 'old.md', created_at: '2020-01-01T00:00:00.000Z' };
    insertChunk(project.database, { ...old, content: 'nobody asked' });
    const note = { id: OLD_NOTE, source_file: '.knowledge/notes/old.md', chunk_index: 0 };
    insertChunk(project.database, { ...old, ...note, content: 'written to last' });
    project.write('src/pool.ts', 'export const pool = 2;\n');
  });
  afterEach(async () => {
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
  afterAll(async () => {
    await world.stop();
    await endpoint.close();
  });

  const visit = async (page: string, fields: Fields = {}, options: TabOptions = {}) => {
    tab = await world.visit(page, fields, options);
    return tab.page;
  };

  test('asks for the token of the service, refuses a wrong one, and keeps it for the tab only', async () => {
    const page = await visit('search', { q: 'transactions' }, { token: '' });
    const enter = async (token: string) => {
      await page.getByLabel('Token').fill(token);
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    await enter('a wrong one');
    await page.getByText('The service does not accept this token.').waitFor();
    await enter(TOKEN);
    await page.getByLabel('Query').waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(TOKEN);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(page.url()).not.toContain('token');
    tab.faults.length = 0; // The browser itself notes each 401.
  });

  test('asks for the token before the front page, which says why a project is not shown', async () => {
    const page = await visit('projects', {}, { token: '' });
    await page.getByLabel('Token').fill(TOKEN);
    expect(await page.getByRole('heading').allTextContents()).toEqual([
      'This service needs its token',
    ]);
    await page.getByRole('button', { name: 'Continue' }).click();
    const main = page.locator('main');
    await main.getByLabel('Project', { exact: true }).fill('/nowhere/at/all');
    await main.getByRole('button', { name: 'Open' }).click();
    const reason = 'projectPath is not an existing directory.';
    expect(await page.getByRole('alert').first().textContent()).toBe(reason);
    await page.getByRole('heading', { name: 'Which project?' }).waitFor();
    tab.faults.length = 0; // The browser itself notes the 401 and the 404.
  });

  test('finds while the user types, marks the words, and keeps them in the address', async () => {
    const page = await visit('search');
    await page.getByLabel('Query').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('short transactions');
    const first = page.getByRole('list').getByRole('listitem').first();
    expect(await first.locator('mark').first().textContent()).toMatch(/^(short|transaction)/i);
    expect(page.url()).toContain('q=short+transactions');
  });

  test('shows excerpts without the signs of markdown, but code as it is', async () => {
    const page = await visit('search', { q: 'zzcomment' });
    const excerpt = await page.locator('.hit .content').first().textContent();
    expect(excerpt).toContain('Run it:');
    expect(excerpt).toContain('# zzcomment **as it is**');
  });

  /** Every page, with what shows that it is complete. */
  test.each([
    ['search', { q: 'zzhostile', candidates: 'union', compare: '1', fusion2: 'blend' }, 'Second'],
    ['project', { order: 'source', file: 'docs/hostile.md' }, 'Sources'],
    ['chunk', { id: 'docs/hostile.md#0' }, 'History'],
    ['projects', {}, 'Which project?'],
    ['notes', { note: 'new' }, 'New note'],
    ['sessions', {}, 'Sessions'],
    ['lessons', { title: 'zzhostile click isolated' }, 'Where it comes from'],
    ['upkeep', { category: 'evil', threshold: '100' }, 'Compaction of memory'],
    ['api', {}, 'Schemas'],
  ])(
    'shows hostile chunks as text on the page %s, to which axe has no objection',
    async (name, fields, last) => {
      const page = await visit(name, fields);
      if (name === 'lessons') await page.getByRole('button', { name: 'Show the lessons' }).click();
      await page.getByRole('heading', { name: last, exact: true }).first().waitFor();
      const regions = REGIONS_WITH_CHUNKS[name]?.map((region) =>
        page.getByRole('region', { name: region }),
      );
      for (const place of regions ?? [page.locator('main')]) {
        await place.getByText(HOSTILE_HEADING).first().waitFor();
      }
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      const code = 'main :is(img, script, iframe, a[href^="javascript:"])';
      expect(await page.locator(code).count()).toBe(0);
      const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(wider)).toBe(0);
      await page.evaluate(AXE);
      const violations = await page.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
      );
      expect(violations).toEqual([]);
    },
  );

  test('shows every figure of a chunk and of a source on a screen of 400 pixels', async () => {
    const page = await visit('project', {}, { width: 400 });
    const cells = page.locator('td[data-label]');
    await page.getByRole('heading', { name: 'Sources' }).waitFor();
    await cells.first().waitFor();
    for (const box of await Promise.all((await cells.all()).map((cell) => cell.boundingBox()))) {
      expect((box?.x ?? Number.NaN) + (box?.width ?? 0)).toBeLessThanOrEqual(400);
    }
    const hidden = `[...document.querySelectorAll('.scroll')].map((box) => box.scrollWidth - box.clientWidth)`;
    expect(await page.evaluate(hidden)).toEqual([0, 0]);
  });

  test('compares the search of agents with the specified one, and counts neither', async () => {
    const retrievals = async () => {
      const query = new URLSearchParams({ projectPath: world.project });
      const { chunks } = await world.get(`/api/knowledge/x/chunks?${query}`);
      return chunks.reduce((sum: number, chunk: Retrieved) => sum + chunk.retrievals, 0);
    };
    const before = await retrievals();
    const page = await visit('search', { q: 'short transactions', results: '3' });
    await page.getByLabel('Compare two modes').check();
    await page.getByText(/as the specification says \(\/search\)\..* (same|only in)/).waitFor();
    expect(page.url()).toContain('profile2=specified');
    expect(await retrievals()).toBe(before);
  });

  test('keeps its field beside the address when that changes in the same tab', async () => {
    const page = await visit('search', { q: 'readers' });
    await page.getByLabel('Query').waitFor();
    await page.evaluate(`location.hash = location.hash.replace('readers', 'transactions')`);
    await page.getByText('transactions', { exact: true }).first().waitFor();
    expect(await page.getByLabel('Query').inputValue()).toBe('transactions');
  });

  test('writes, corrects and deletes a note', async () => {
    const page = await visit('notes');
    await page.getByRole('button', { name: 'New note' }).click();
    await page.getByLabel('Title').fill('Ship day');
    await page.getByLabel('Text, as Markdown').fill('Versions go out on Fridays.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'ship-day' }).waitFor();
    await page.getByLabel('Text, as Markdown').fill('Versions go out on Thursdays.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Searches find it now.').waitFor();
    const { results } = await world.post('/api/knowledge/search', { query: 'Thursdays' });
    expect(results[0].chunk).toMatchObject({ heading: 'Ship day' });
    await page.getByRole('button', { name: 'Delete the note …' }).click();
    await page.getByRole('button', { name: 'Delete the note', exact: true }).click();
    await page.getByRole('button', { name: 'Ship day' }).waitFor({ state: 'detached' });
  });

  test('shows the text of a chunk as Markdown, without links and pictures', async () => {
    const page = await visit('chunk', { id: 'docs/rendered.md#0' });
    await page.getByRole('listitem').getByText('first').waitFor();
    expect(await page.locator('.markdown strong').textContent()).toBe('loud');
    expect(await page.locator('.markdown :is(a, img)').count()).toBe(0);
    await page.getByText('Next chunk →').click();
    await page.getByRole('heading', { name: 'Next' }).waitFor();
  });

  test('lists the projects that were used on this machine, and leads to one', async () => {
    const page = await visit('projects');
    const known = page.getByRole('region', { name: 'Recent projects' });
    await known
      .getByText(/^[\d.]+ kB · last opened \d{4}-\d\d-\d\d \d\d:\d\d$/)
      .first()
      .waitFor();
    await known
      .getByText(/^\d+ chunks of \d+ sources · last change (just now|\d+ \w+ ago)$/)
      .first()
      .waitFor();
    await known.getByRole('link').first().click();
    await page.getByRole('searchbox').first().waitFor();
  });

  test('describes every route, and leads to each', async () => {
    const page = await visit('api');
    const link = page
      .getByRole('navigation', { name: 'Contents' })
      .getByText('POST /api/knowledge/x/prune');
    await link.click();
    const section = page.getByRole('region', { name: 'POST /api/knowledge/x/prune' });
    await section.getByText(`-d '{"projectPath":"/path/to/project"}'`).waitFor();
    const { paths } = (await world.get('/openapi.json')) as { paths: object };
    const operations = Object.values(paths).flatMap(Object.keys);
    expect(await page.getByRole('region', { name: /^[A-Z]+ \// }).count()).toBe(operations.length);
  });

  test('shows what pruning would delete and why, and deletes it after a confirmed click', async () => {
    const page = await visit('upkeep');
    const pruning = page.getByRole('region', { name: 'Prune' });
    const reason = /never returned, unused since 2020-01-01 \(\d+ years ago\)/;
    await pruning.getByText(reason).first().waitFor();
    const note = pruning.getByRole('checkbox', { name: 'notes' });
    expect(await note.isChecked()).toBe(false);
    await pruning.getByText('no search has returned for 90 days').waitFor();
    await pruning.getByRole('button', { name: 'Delete 1 chunk …' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const choice = pruning.getByRole('checkbox', { name: 'zzhostile' });
    await choice.uncheck();
    expect(await pruning.getByRole('button', { name: 'Delete 0 chunks …' }).isDisabled()).toBe(
      true,
    );
    await choice.check();
    await pruning.getByRole('button', { name: 'Delete 1 chunk …' }).click();
    await page.getByRole('button', { name: 'Delete 1 chunk', exact: true }).click();
    await pruning.getByText('1 chunk deleted.').waitFor();
    await choice.waitFor({ state: 'detached' });
    expect(await note.isVisible()).toBe(true);
  });

  test('summarizes a category after a confirmed click, and shows the new text', async () => {
    const page = await visit('upkeep', { category: 'database', threshold: '100' });
    await page.getByText('Readers wait otherwise.').waitFor();
    await page.getByRole('button', { name: 'Summarize …' }).click();
    await page.getByRole('button', { name: 'Summarize', exact: true }).click();
    await page.getByText('The category was summarized').waitFor();
    await page.getByText('Readers wait otherwise.').waitFor({ state: 'detached' });
    expect(endpoint.requests).toHaveLength(1);
  });

  test('names the chunks that cite changed files', async () => {
    const page = await visit('upkeep');
    await page.getByRole('region', { name: 'Stale' }).getByText('has changed since').waitFor();
  });

  test('is small: its first view is below 60 kB, compressed', async () => {
    const page = await visit('search');
    await page.waitForLoadState('networkidle');
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => bodies.push(response.body()));
    await page.reload({ waitUntil: 'networkidle' });
    const total = gzipSync(Buffer.concat(await Promise.all(bodies))).length;
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(60_000);
  });
});

/** Where a page shows chunks, if it is not one place. */
const REGIONS_WITH_CHUNKS: Readonly<Record<string, readonly string[]>> = {
  upkeep: ['Prune', 'Stale', 'Compaction of memory'],
  projects: [],
  notes: [],
  sessions: [],
  api: [],
};

interface Retrieved {
  readonly retrievals: number;
}

type Fields = Readonly<Record<string, string>>;

/** A document whose every part tries to become code, or to break the page. */
function hostileMarkdown(): string {
  return [
    `## ${HOSTILE_HEADING}`,
    'zzhostile <script>window.hacked = 1</script> <svg onload="window.hacked=1"></svg>',
    '[click](javascript:window.hacked=1) <a href="javascript:window.hacked=1">zzhostile</a>',
    '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe> <b onmouseover="window.hacked=1">b</b>',
    '\u202ezzhostile desrever\u202c \u2066isolated\u2069 \u200f right to left \u200b',
    '',
    `## zzhostile ${'W'.repeat(10_240)}`,
    'zzhostile: a heading of ten kilobytes without a space.',
    '',
    '## \u202ezzhostile reversed heading',
    `zzhostile ${'x'.repeat(2000)}`,
  ].join('\n');
}
