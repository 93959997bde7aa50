import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { renderExchange, renderSessionHead } from '../../src/domain/sessions/session-file.js';
import { BROWSER } from '../../test/support/console-browser.js';
import { ConsoleWorld } from '../../test/support/console-world.js';
import { CHECKOUT, directoryOfRealModel } from '../../test/support/running-service.js';
import { tempDirectory } from '../../test/support/temp-project.js';

/**
 * Takes screenshots of every page of the console, at three widths and in both themes. Uses a copy of this project's
 * documents with some notes and sessions.
 *
 *   npm run build && npx tsx bench/console/screenshots.ts [folder] [page ...]
 *   npm run build && npx tsx bench/console/screenshots.ts --readme
 *
 * --readme takes the two pictures of the README once all vectors are there.
 */
if (BROWSER === undefined) process.exit(1);

const isForReadme = process.argv[2] === '--readme';
const [folder = tempDirectory('knowledge-screenshots-'), ...wanted] = process.argv.slice(2);

const WIDTHS = [400, 1280, 1920];
const THEMES = ['light', 'dark'] as const;

/** Longer than the delay between typing and results. */
const SETTLE_MS = 400;

interface Picture {
  readonly page: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** What to do before taking the picture. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** Replaces the project's temporary path, which means nothing to a reader. */
const SHORTEN_PATHS = `
  const shorter = (text) => text.replace(/\\/[^ ]*knowledge-screenshots-\\w+/g, '/home/me');
  for (const input of document.querySelectorAll('input')) input.value = shorter(input.value);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = shorter(texts.currentNode.data);
`;

const NOTE = '.knowledge/notes/release-day.md';

const PICTURES: Readonly<Record<string, Picture>> = {
  projects: { page: 'projects' },
  search: { page: 'search', fields: { q: 'how are notes kept from being overwritten' } },
  compare: {
    page: 'search',
    fields: { q: 'how is a query read', compare: '1', profile2: 'specified', results: '5' },
  },
  project: { page: 'project', fields: { order: 'source' } },
  chunk: { page: 'chunk', fields: { id: 'docs/console.md#2' } },
  notes: { page: 'notes' },
  note: { page: 'notes', fields: { note: NOTE } },
  preview: {
    page: 'notes',
    fields: { note: NOTE },
    prepare: async (page) => {
      const preview = page.getByRole('button', { name: 'Preview' });
      if (await preview.isVisible()) await preview.click();
    },
  },
  conflict: { page: 'notes', fields: { note: NOTE }, prepare: meetConflict },
  leaving: { page: 'notes', fields: { note: NOTE }, prepare: leave },
  sessions: { page: 'sessions' },
  session: { page: 'sessions', fields: { file: '.knowledge/sessions/2026-11-21-5f0c.md' } },
  lessons: {
    page: 'lessons',
    fields: { title: 'Edit notes in the console' },
    prepare: (page) => page.getByRole('button', { name: 'Show the lessons' }).click(),
  },
  upkeep: { page: 'upkeep' },
  api: { page: 'api' },
};

const world = await startWorld();
try {
  if (isForReadme) await takeForReadme();
  else await takeAll();
} finally {
  await world.stop();
}

async function takeForReadme(): Promise<void> {
  for (const name of ['search', 'note'] as const) {
    const path = join(CHECKOUT, 'docs/pictures', `console-${name}.png`);
    await take(PICTURES[name] as Picture, { theme: 'light', width: 1280 }, path);
  }
}

async function takeAll(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, picture] of Object.entries(PICTURES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const theme of THEMES)
      for (const width of WIDTHS)
        await take(picture, { theme, width }, join(folder, `${name}-${width}-${theme}.png`));
  }
  process.stdout.write(`${folder}\n`);
}

interface Look {
  readonly theme: (typeof THEMES)[number];
  readonly width: number;
}

async function take({ page, fields, prepare }: Picture, look: Look, path: string): Promise<void> {
  const tab = await world.visit(page, fields, look);
  await tab.page.waitForLoadState('networkidle');
  await prepare?.(tab.page);
  await tab.page.waitForTimeout(SETTLE_MS);
  await tab.page.evaluate(SHORTEN_PATHS);
  const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  const overflow = await tab.page.evaluate(wider);
  if (overflow !== 0) process.stdout.write(`${path} is ${overflow} pixels too wide\n`);
  await tab.page.screenshot({ path });
  await tab.close();
}

async function meetConflict(page: Page): Promise<void> {
  const field = page.getByLabel('Text, as Markdown');
  const path = `/api/knowledge/x/notes/release-day`;
  await field.fill(`${await field.inputValue()}\n\nNever before a holiday (${Math.random()}).`);
  await world.change('PATCH', path, { append: `Said by an agent: ${Math.random()}.` });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'As it is now' }).waitFor();
}

async function leave(page: Page): Promise<void> {
  await page.getByLabel('Text, as Markdown').fill('Half a sentence');
  await page.getByRole('link', { name: 'Upkeep' }).click();
}

async function startWorld(): Promise<ConsoleWorld> {
  const project = join(tempDirectory('knowledge-screenshots-'), 'knowledge-store');
  for (const name of ['docs', 'src', 'README.md', 'ARCHITECTURE.md', 'SECURITY.md']) {
    cpSync(join(CHECKOUT, name), join(project, name), { recursive: true });
  }
  for (const [name, text] of Object.entries({ ...notes(), ...sessions(), ...features() })) {
    const path = join(project, '.knowledge', name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
  const model = directoryOfRealModel();
  const started = await ConsoleWorld.start(project, model === undefined ? {} : { DATA_DIR: model });
  await started.post('/api/knowledge/rebuild');
  if (model !== undefined) await started.embedded(isForReadme ? 'all' : 100);
  writeFileSync(join(project, 'src/main.ts'), '// changed since it was cited\n');
  return started;
}

function notes(): Readonly<Record<string, string>> {
  return {
    'notes/release-day.md':
      '---\ntags: [releases, team]\nexpires: 2099-12-31\nauthor: "ada"\n---\n# Release day\n\nVersions go out on **Thursdays**, never on Fridays.\n\n- tag the commit\n- wait for `npm run check`\n- write the changelog\n\n> Nobody is on call at the weekend.\n\n```sh\nsh scripts/release.sh\n```\n',
    'notes/old-release-day.md': '# Old release day\n\nVersions go out on Fridays.\n',
    'notes/thursday.md':
      '---\nsupersedes: old-release-day\ntags: [releases]\n---\n# Why Thursday\n\nThe weekend has nobody on call.\n',
    'notes/main-entry.md':
      '---\ntags: [startup]\n---\n# Where the service starts\n\nThe entry is `src/main.ts`; the variant is chosen there.\n',
    'notes/freeze.md':
      '---\nexpires: 2020-05-01\ntags: [releases]\n---\n# Freeze\n\nNo releases.\n',
    ...(isForReadme ? {} : longNote()),
  };
}

function longNote(): Readonly<Record<string, string>> {
  return {
    'notes/long.md': `# ${'A title that somebody has written without a thought for narrow screens '.repeat(2)}\n\n${'A long text. '.repeat(80)}\n`,
  };
}

function sessions(): Readonly<Record<string, string>> {
  const said = [
    [
      'Why does the login test fail only on Mondays?',
      'Its clock runs in local time. Set `TZ=UTC`:\n\n```sh\nTZ=UTC npm test\n```\n\nThen it passes.',
    ],
    [
      'Add that to the check script',
      'Done. `npm run check` sets `TZ=UTC` now.\n\n- `package.json` changed\n- the documents mention it',
    ],
  ] as const;
  return Object.fromEntries(
    ['2026-11-21-5f0c', '2026-11-24-77aa', '2026-11-28-9e1d'].map((name, index) => {
      const at = `${name.slice(0, 10)}T09:00:00.000Z`;
      const agent = index === 1 ? 'codex' : 'claude';
      const title = said[index % 2]?.[0] ?? '';
      const head = {
        agent,
        session: name.slice(11),
        branch: 'main',
        started: at,
        ended: at,
        title,
      };
      const exchanges = said.map(([prompt, answer]) =>
        renderExchange({
          prompts: [{ role: 'user', text: prompt, at, keys: [] }],
          answers: [{ role: 'assistant', text: answer, at, keys: [] }],
        }),
      );
      return [`sessions/${name}.md`, renderSessionHead({ ...head, agent }) + exchanges.join('')];
    }),
  );
}

function features(): Readonly<Record<string, string>> {
  return {
    'memory/gotchas.md':
      '# gotchas\n\n### SQLite\n\nKeep transactions short.\n\n### Browsers\n\nA dialog needs a label.\n',
    'features/notes/feature.json': '{ "id": "notes", "title": "Edit notes", "status": "verified" }',
    'features/notes/reflection.md':
      '## What went wrong\nThe console overwrote notes that agents had changed meanwhile.\n\n## What to do next time\nSend the version that was read.\n',
  };
}
