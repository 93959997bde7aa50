// @ts-check
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

/**
 * The project that an example uses: the path on the command line or, without one, a small project that
 * is created in the temporary directory and removed afterwards.
 *
 * @returns {Promise<{ path: string, remove: () => Promise<void> }>}
 */
export async function projectFromArguments() {
  const given = process.argv[2];
  if (given !== undefined) return { path: resolve(given), remove: async () => undefined };
  const path = await mkdtemp(join(tmpdir(), 'knowledge-example-'));
  const appDir = process.env['KNOWLEDGE_APP_DIR'] || '.knowledge';
  for (const [name, text] of Object.entries(FILES)) {
    const file = join(path, name.replace('<appdir>', appDir));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return { path, remove: () => rm(path, { recursive: true }) };
}

/** @type {Readonly<Record<string, string>>} */
const FILES = {
  'docs/cars.md': `# Vehicles

## Service interval
A car needs new oil every 15,000 km.

## Tyres
Change the tyres before winter.
`,
  '<appdir>/memory/database.md': `---
tags: [sqlite, locking]
importance: 0.9
---
## Database locks
Writers wait for each other. Keep every transaction short, or readers see "database is locked".

## Migrations
Run a migration in one transaction and keep a backup.
`,
  '<appdir>/features/login/reflection.md': `## What went wrong
The session cookie was not renewed after the password changed.

## What to do next time
Write the test for the expired session first.
`,
  '<appdir>/features/login/agent-output.md': `Added the login form and the session store.
All 14 tests pass. The session cookie is now renewed.
`,
};
