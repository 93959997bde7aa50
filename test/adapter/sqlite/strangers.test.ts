import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareDirectory } from '../../../src/adapters/sqlite/database/files.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import { TempProject } from '../../support/temp-project.js';

const STRANGER = 54_321;
const OWNER = 54_322;
const NOT_ALLOWED = { code: 'path_not_allowed' };

let project: TempProject;
beforeEach(() => {
  project = new TempProject();
});
afterEach(() => project.remove());

describe.skipIf(process.geteuid?.() !== 0)('a store that another user made (needs root)', () => {
  it('is refused, with a sentence, if a stranger owns the directory', async () => {
    mkdirSync(project.at('.knowledge'));
    chownSync(project.at('.knowledge'), STRANGER, STRANGER);
    const opened = sqliteStores().open(project.path);
    await expect(opened).rejects.toMatchObject(NOT_ALLOWED);
    await expect(opened).rejects.toThrow(/\.knowledge belongs to another user/);
  });

  it('is refused if a stranger owns the database, whatever its permissions', async () => {
    project.write('.knowledge/knowledge.db', '');
    chownSync(project.at('.knowledge/knowledge.db'), STRANGER, STRANGER);
    chmodSync(project.at('.knowledge/knowledge.db'), 0o666);
    await expect(sqliteStores().open(project.path)).rejects.toMatchObject(NOT_ALLOWED);
  });

  it('is opened if it belongs to the owner of the project', async () => {
    project.write('.knowledge/x', '');
    for (const path of ['', '.knowledge']) chownSync(project.at(path), OWNER, OWNER);
    const stores = sqliteStores();
    await stores.open(project.path);
    await stores.close();
  });
});

it('creates no directory behind a link that has replaced one above the project', () => {
  const inner = project.at('parent/inner');
  mkdirSync(inner, { recursive: true });
  mkdirSync(project.at('elsewhere/inner'), { recursive: true });
  renameSync(project.at('parent'), project.at('moved'));
  symlinkSync(project.at('elsewhere'), project.at('parent'));
  expect(() => prepareDirectory(inner, '.knowledge')).toThrow(/replaced/);
  expect(() => chmodSync(join(project.at('elsewhere/inner'), '.knowledge'), 0o700)).toThrow();
});
