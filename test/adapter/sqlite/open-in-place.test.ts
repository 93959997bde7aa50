import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.js';
import { openInPlace } from '../../../src/adapters/sqlite/database/open-in-place.js';
import { toKnowledgeError } from '../../../src/adapters/sqlite/database/sqlite-errors.js';
import { prepareDirectory } from '../../../src/adapters/sqlite/database/store-files.js';
import { codeOf } from '../../../src/domain/errors.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { logHeader } from '../../support/log-header.js';
import { TempProject } from '../../support/temp-project.js';

let root: TempProject;

beforeEach(() => {
  root = new TempProject();
  mkdirSync(root.at('project'));
  const db = new Database(database());
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE t (a)');
  db.close();
  mkdirSync(root.at('outside'));
  copyFileSync(database(), root.at('outside/knowledge.db'));
});
afterEach(() => {
  vi.restoreAllMocks();
  root.remove();
});

describe.runIf(process.platform === 'linux')(
  'a folder that becomes a link while its database is opened',
  () => {
    it('leaves nothing where the link leads', () => {
      const opened = openInPlace(database(), () => openedBefore(replaceFolder));
      expect(opened).toBeUndefined();
      expect(readdirSync(root.at('outside'))).toEqual(['knowledge.db']);
    });

    it('leaves nothing there either where the log there cannot be read', async () => {
      writeFileSync(root.at('outside/knowledge.db-wal'), logOfAnotherVersion());
      await setTimeout(50);
      const opening = () => openInPlace(database(), () => openedBefore(replaceFolder));
      expect(opening).toThrow(/unable to open/);
      expect(readdirSync(root.at('outside'))).toEqual(['knowledge.db', 'knowledge.db-wal']);
    });

    it('leaves nothing there where an empty file is switched to a log', async () => {
      truncateSync(database());
      const pragma = Database.prototype.pragma;
      vi.spyOn(Database.prototype, 'pragma').mockImplementation(function (
        this: Database,
        ...given
      ) {
        if (given[0] === 'journal_mode = WAL') replaceFolder();
        return pragma.apply(this, given);
      });
      const opening = openDatabase(root.at('project'), OPTIONS);
      await expect(opening).rejects.toThrow('was replaced while it was being opened');
      expect(readdirSync(root.at('outside'))).toEqual(['knowledge.db']);
    });

    it('leaves there what was there before', async () => {
      const other = new Database(root.at('outside/knowledge.db'));
      other.exec('INSERT INTO t VALUES (1)');
      const files = readdirSync(root.at('outside'));
      await setTimeout(50);
      expect(openInPlace(database(), () => openedBefore(replaceFolder))).toBeUndefined();
      expect(readdirSync(root.at('outside'))).toEqual(files);
      expect(other.prepare('SELECT count(*) FROM t').pluck().get()).toBe(1);
      other.close();
    });
  },
);

it('makes no journal beside a new database, which a link would lead elsewhere', async () => {
  rmSync(database());
  const made = new Set<string | null>();
  const watcher = watch(root.at('project'), (_, name) => made.add(name));
  (await openDatabase(root.at('project'), OPTIONS)).close();
  await vi.waitFor(() => expect(made).toContain('knowledge.db-wal'));
  watcher.close();
  expect(made).not.toContain('knowledge.db-journal');
});

it('opens a database whose folder was moved, and keeps its log', () => {
  const opened = openInPlace(database(), () => openedBefore(() => undefined));
  renameSync(root.at('project'), root.at('moved'));
  expect(opened?.prepare('SELECT count(*) FROM t').pluck().get()).toBe(0);
  expect(readdirSync(root.at('moved'))).toHaveLength(3);
  opened?.close();
});

it('is not disturbed by the files of another project whose folder moves meanwhile', () => {
  const other = new Database(root.at('outside/knowledge.db'));
  other.exec('INSERT INTO t VALUES (1)');
  const move = () => renameSync(root.at('outside'), root.at('elsewhere'));
  const opened = openInPlace(database(), () => openedBefore(move));
  expect(opened?.open).toBe(true);
  expect(readdirSync(root.at('elsewhere'))).toHaveLength(3);
  for (const db of [opened, other]) db?.close();
});

it('says of a folder that comes and goes only that it cannot be opened', async () => {
  const folder = root.at('project');
  const swapping = new Worker(SWAPPING, { eval: true, workerData: folder });
  await once(swapping, 'message');
  const codes = new Set<string>();
  for (const until = Date.now() + 2_000; Date.now() < until; ) {
    try {
      prepareDirectory(root.path, 'project');
    } catch (error) {
      codes.add(codeOf(toKnowledgeError(error)));
    }
  }
  await swapping.terminate();
  expect(codes).toEqual(new Set(['store_unavailable']));
});

/** Moves a folder away, and puts a link and then the folder in its place, for ever. */
const SWAPPING = `
  const { renameSync, symlinkSync, rmSync } = require('node:fs');
  const { parentPort, workerData: folder } = require('node:worker_threads');
  parentPort.postMessage('begun');
  for (;;) {
    try {
      renameSync(folder, folder + '.aside');
      symlinkSync('outside', folder);
    } catch {}
    rmSync(folder, { force: true, recursive: true });
    try {
      renameSync(folder + '.aside', folder);
    } catch {}
  }`;

function database(): string {
  return root.at('project/knowledge.db');
}

/** Between the opening and the first statement. */
function openedBefore(change: () => void): Database {
  const db = new Database(database());
  change();
  return db;
}

const OPTIONS = {
  mode: 'trusted',
  dimensions: 384,
  clock: new FixedClock(),
  stopWaiting: new AbortController().signal,
} as const;

function logOfAnotherVersion(): Buffer {
  return Buffer.concat([logHeader({ version: 3007001, pageSize: 4096 }), Buffer.alloc(5000)]);
}

function replaceFolder(): void {
  renameSync(root.at('project'), root.at('moved'));
  symlinkSync(root.at('outside'), root.at('project'));
}
