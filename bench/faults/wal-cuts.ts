import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Database } from '../../src/adapters/sqlite/database/driver.js';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import type { ProjectStore } from '../../src/ports/driven/project-stores.js';
import { document, draft } from '../../test/support/chunks.js';
import { sqliteStores } from '../../test/support/sqlite-stores.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily, FaultOptions, FaultOutcome } from './family.js';
import type { Random } from './random.js';

const COMMITS = 40;

/** F2: power loss. The write-ahead log is cut, cut and filled with noise, or loses 4 KB to zeros. */
export const walCuts: FaultFamily = {
  name: 'F2',
  title: 'power loss: damaged WAL',
  defaultRounds: 200,
  run: (options) => cutAgainAndAgain(options, commitWhole),
  negativeControl: async (options) =>
    (await cutAgainAndAgain({ ...options, rounds: 40 }, commitRowByRow)).wrong,
};

/** Stores the source of one commit; the state after it is one that may be found again. */
type Commit = (project: TempProject, store: ProjectStore, number: number) => Promise<void>;

async function cutAgainAndAgain(
  { rounds, random }: FaultOptions,
  commit: Commit,
): Promise<FaultOutcome> {
  const original = new TempProject();
  const stores = sqliteStores({ clock: systemClock });
  const store = await stores.open(original.path);
  const states = [stateOf(original.database)];
  for (let number = 0; number < COMMITS; number += 1) {
    await commit(original, store, number);
    states.push(stateOf(original.database));
  }
  const wrong: string[] = [];
  const found = new Set<number>();
  for (let round = 0; round < rounds; round += 1) {
    const copy = new TempProject();
    const cut = copyWithDamage(original, copy, random);
    const reopened = sqliteStores({ clock: systemClock });
    try {
      await reopened.open(copy.path);
      const state = states.lastIndexOf(stateOf(copy.database));
      if (state < 0) wrong.push(`${cut}: the state is not one that was committed`);
      found.add(state);
      wrong.push(...problemsIn(copy.database).map((problem) => `${cut}: ${problem}`));
    } catch (error) {
      wrong.push(`${cut}: ${String(error)}`);
    }
    await reopened.close();
    copy.remove();
  }
  await stores.close();
  original.remove();
  const notes = [`${found.size} of ${states.length} committed states were seen`];
  return { rounds, acknowledged: COMMITS, lost: 0, wrong, notes };
}

/** One transaction per source, as the service does it. */
async function commitWhole(_: TempProject, store: ProjectStore, number: number): Promise<void> {
  const file = `notes-${number % 10}.md`;
  const drafts = textsOf(number).map((text) => draft(text));
  await store.chunks.replaceSource(file, async () => document(file, drafts));
}

/** The control: the rows of a source, one transaction each. */
async function commitRowByRow(
  project: TempProject,
  _: ProjectStore,
  number: number,
): Promise<void> {
  const db = new Database(project.database);
  db.pragma('wal_autocheckpoint = 0');
  for (const [index, text] of textsOf(number).entries()) {
    db.prepare(
      `INSERT OR REPLACE INTO chunks (id, source_type, source_file, project_path, chunk_index, content, created_at, updated_at)
       VALUES (?, 'file', ?, '/project', ?, ?, '2026-01-01', '2026-01-01')`,
    ).run(`notes-${number}.md#${index}`, `notes-${number}.md`, index, text);
  }
  db.close();
}

function textsOf(number: number): readonly string[] {
  return [0, 1, 2].map((section) => `commit${number} section${section} ${'word '.repeat(60)}`);
}

/** Copies the database as it is while it is open, and damages the copy of its log. */
function copyWithDamage(original: TempProject, copy: TempProject, random: Random): string {
  mkdirSync(dirname(copy.database), { recursive: true, mode: 0o700 });
  copyFileSync(original.database, copy.database);
  const log = readFileSync(`${original.database}-wal`);
  const at = random.below(log.length);
  const kind = random.pick(['cut', 'noise', 'zeros'] as const);
  writeFileSync(`${copy.database}-wal`, damagedLog(log, at, kind, random));
  return `${kind} at byte ${at} of ${log.length} (database ${statSync(copy.database).size})`;
}

function damagedLog(
  log: Buffer,
  at: number,
  kind: 'cut' | 'noise' | 'zeros',
  random: Random,
): Buffer {
  if (kind === 'cut') return log.subarray(0, at);
  if (kind === 'noise') return Buffer.concat([log.subarray(0, at), random.bytes(6000)]);
  return Buffer.from(log).fill(0, at, Math.min(log.length, at + 4096));
}

/** What the tables hold, as one hash; the same for a database without tables and one with empty ones. */
function stateOf(path: string): string {
  const db = new Database(path);
  const tables = ['chunks', 'store_sources', 'store_owned', 'embeddings'];
  const rows = tables.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY 1`).all());
  db.close();
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}
