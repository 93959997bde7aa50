import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import {
  execute,
  insertChunk,
  SPECIFIED_SCHEMA,
  scalarOf,
} from '../../support/database-inspection.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

let stores = sqliteStores();
afterEach(async () => {
  await stores.close();
  stores = sqliteStores();
});

const PAGE = 4096;
const ROWS = 7;
/** So long that the rest of a row fills whole pages, and only its shortest beginning stands in the table itself. */
const LONG_TEXT = 'a'.repeat(98_580);

/** A database of another program with as many long chunks as one page of a table holds the beginnings of. */
function projectWithLongChunks(): TempProject {
  const project = projects.make();
  mkdirSync(project.at('.knowledge'));
  execute(project.database, SPECIFIED_SCHEMA);
  execute(project.database, 'DROP TRIGGER chunks_ai');
  for (let row = 1; row <= ROWS; row += 1)
    insertChunk(project.database, { id: `id${row}`, content: LONG_TEXT });
  return project;
}

/** Lets all chunks share the pages that hold the rest of the first; returns the first page of the others. */
function sharePages({ database }: TempProject): number {
  const root = Number(
    scalarOf(database, "SELECT rootpage FROM sqlite_master WHERE name = 'chunks'"),
  );
  const bytes = readFileSync(database);
  const leaf = bytes.subarray((root - 1) * PAGE, root * PAGE);
  const starts = Array.from({ length: ROWS }, (_, row) => leaf.readUInt16BE(8 + 2 * row));
  const first = leaf.readUInt32BE(PAGE - 4);
  const second = leaf.readUInt32BE((starts[0] as number) - 4);
  for (const start of starts.slice(0, -1)) leaf.writeUInt32BE(first, start - 4);
  writeFileSync(database, bytes);
  return second;
}

/** The same in a file as small as that makes it. */
function sharePagesAndShrink(project: TempProject): void {
  const pages = sharePages(project) - 1;
  const bytes = readFileSync(project.database).subarray(0, pages * PAGE);
  bytes.writeUInt32BE(pages, 28);
  writeFileSync(project.database, bytes);
}

const setAside = (project: TempProject) =>
  readdirSync(project.at('.knowledge')).filter((name) => name.includes('.corrupt-'));

describe('a database whose rows share pages', () => {
  test('is set aside when it is opened for the first time', async () => {
    const project = projectWithLongChunks();
    sharePagesAndShrink(project);
    const store = await stores.open(project.path);
    expect(await store.refill.isSet()).toBe(true);
    expect(setAside(project)).toHaveLength(1);
  });

  test('is set aside when it is a copy of one that was opened elsewhere', async () => {
    const [original, copy] = [projectWithLongChunks(), projects.make()];
    await stores.open(original.path);
    await stores.close();
    stores = sqliteStores();
    sharePages(original);
    mkdirSync(copy.at('.knowledge'));
    copyFileSync(original.database, copy.database);
    await stores.open(copy.path);
    expect(setAside(copy)).toHaveLength(1);
  });
});

test('the pages of a file are checked once', async () => {
  const project = projectWithLongChunks();
  await stores.open(project.path);
  await stores.close();
  const number = "SELECT value FROM store_state WHERE name = 'pages_checked_of'";
  expect(scalarOf(project.database, number)).toBe(String(statSync(project.database).ino));
});
