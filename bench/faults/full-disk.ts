import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { startClient } from '../../test/support/running-service-calls.js';
import { TempProject, tempDirectory } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily, FaultOptions } from './family.js';
import { AcknowledgementLog } from './generations.js';
import { emptyStore } from './projects.js';

/** F7: a disk of 1 to 3 MB that fills up while sources are ingested. Needs the right to mount. */
export const fullDisk: FaultFamily = {
  name: 'F7',
  title: 'full disk (tmpfs)',
  defaultRounds: 5,
  async run({ rounds, random }) {
    const client = await startClient('hybrid');
    const wrong: string[] = [];
    let refused = 0;
    let acknowledged = 0;
    let lost = 0;
    for (let round = 0; round < rounds; round += 1) {
      const disk = mountedDisk(1024 + random.below(2048));
      const project = new TempProject({}, '.knowledge', disk);
      const log = new AcknowledgementLog();
      try {
        for (let turn = 0; turn < 400; turn += 1) {
          if (!isWritten(log, project, `f${turn}`)) break;
          const snapshot = log.snapshot();
          const answer = await client.post('/ingest/reflections', project);
          if (answer.status === 200) log.confirm(snapshot);
          else if (answer.status === 507) refused += 1;
          else wrong.push(`HTTP ${answer.status}: ${answer.text}`);
          if (answer.status === 507) break;
        }
        const found = await client.search(project, 'apple');
        if (found.status !== 200) wrong.push(`search on a full disk: ${found.text}`);
        const compared = log.compare(project);
        lost += compared.lost.length;
        acknowledged += log.count;
        wrong.push(...compared.lost, ...compared.wrong);
        execFileSync('mount', ['-o', 'remount,size=64m', disk]);
        const again = await client.rebuild(project);
        if (again.status !== 200) wrong.push(`after space returned: ${again.text}`);
        wrong.push(...problemsIn(project.database, { project: project.path }));
      } finally {
        execFileSync('umount', ['-l', disk]);
        rmSync(disk, { recursive: true, force: true });
      }
    }
    await client.service.stop();
    return { rounds, acknowledged, lost, wrong, notes: [`507 in ${refused} of ${rounds} rounds`] };
  },
  negativeControl: rowsWithoutTransaction,
};

/** The disk may be full for the source itself; a half-written source file is removed. */
function isWritten(log: AcknowledgementLog, project: TempProject, feature: string): boolean {
  try {
    log.write(project, feature);
    return true;
  } catch {
    project.delete(project.reflection(feature));
    return false;
  }
}

function mountedDisk(kilobytes: number): string {
  const folder = tempDirectory('knowledge-disk-');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]);
  return folder;
}

/** Rows of a source, one by one, in a database that must not grow: half a source stays. */
export async function rowsWithoutTransaction(_: FaultOptions): Promise<readonly string[]> {
  const project = await emptyStore();
  const log = new AcknowledgementLog();
  const db = new Database(project.database);
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 4}`);
  log.write(project, 'f0');
  try {
    for (let index = 0; index < 4; index += 1) {
      db.prepare(
        `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content, created_at, updated_at)
         VALUES (?, 'reflection', '.knowledge/features/f0/reflection.md', '/', ?, ?, '2026', '2026')`,
      ).run(`f0#${index}`, index, `generation1 ${'word '.repeat(2000)}`);
    }
  } catch {
    // It is full, and what was written stays.
  }
  db.close();
  const { wrong } = log.compare(project);
  project.remove();
  return wrong;
}
