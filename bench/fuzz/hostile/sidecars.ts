import { chmodSync, chownSync, linkSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { logHeader } from '../../../test/support/log-header.js';
import type { Random } from '../../faults/random.js';
import { once, type Plants, type Scene } from './plant.js';

/** Files beside the database, and owners and permissions of what is there. */
export const SIDECAR_PLANTS: Plants = {
  sidecars: once((scene) => {
    const { random, project, databases } = scene;
    if (random.below(3) > 0) project.write('.knowledge/knowledge.db', random.pick(databases));
    for (let count = 1 + random.below(2); count > 0; count -= 1) sidecar(scene);
  }),
  'owners and permissions': once(ownership),
};

const SUFFIXES = ['-wal', '-shm', '-journal', '', '-wal2', '-mj0123', '.corrupt-2026-01-01'];

function sidecar({ random, project, databases, outside }: Scene): void {
  const path = `.knowledge/knowledge.db${random.pick(SUFFIXES)}`;
  const at = project.at(path);
  mkdirSync(dirname(at), { recursive: true });
  if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) return;
  const link = (target: string) => () => symlinkSync(target, at);
  random.pick([
    () => project.write(path, random.bytes(random.pick([0, 1, 32, 5000]))),
    () => project.write(path, journal(random, join(outside, 'secret.md'))),
    () => project.write(path, log(random)),
    () => project.write(path, random.pick(databases)),
    () => mkdirSync(at),
    link(join(outside, 'secret.md')),
    link(join(outside, 'made-by-the-service')),
    link(join(outside, 'empty')),
    link('knowledge.db'),
    link('/dev/zero'),
    link('/proc/self/mem'),
    () => linkSync(join(dirname(project.path), 'linked'), at),
  ])();
}

/** A journal of SQLite that wants to be played back, and names another one. */
function journal(random: Random, name: string): Buffer {
  const header = Buffer.alloc(512);
  Buffer.from('d9d505f920a163d7', 'hex').copy(header);
  [random.pick([0, 1, 0xffffffff]), 7, 10, 512, 4096].forEach((value, i) => {
    header.writeUInt32BE(value, 8 + 4 * i);
  });
  const pages = Buffer.concat([Buffer.from([0, 0, 0, 1]), random.bytes(300), Buffer.alloc(3800)]);
  const text = Buffer.from(name);
  const numbers = Buffer.alloc(12);
  numbers.writeUInt32BE(5);
  numbers.writeUInt32BE(text.length, 4);
  numbers.writeUInt32BE(
    text.reduce((sum, byte) => (sum + byte) >>> 0, 0),
    8,
  );
  const end = Buffer.from('d9d505f920a163d7', 'hex');
  return Buffer.concat([header, pages, numbers.subarray(0, 4), text, numbers.subarray(4), end]);
}

/** A log with a valid header as SQLite sums it, and pages of noise. */
function log(random: Random): Buffer {
  const noise = Buffer.concat([random.bytes(200), Buffer.alloc(8000)]);
  const pageSize = random.pick([512, 4096, 1, 65_536]);
  return Buffer.concat([logHeader({ version: 3007000, pageSize }), noise]);
}

const SOMEBODY = 12_345;

function ownership({ random, project, databases }: Scene): void {
  const path = '.knowledge/knowledge.db';
  project.write(path, random.pick(databases));
  const places = ['.', '.knowledge', path, 'docs', 'docs/a.md'];
  project.write('docs/a.md', '## A\n\na tapir\n');
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const at = project.at(random.pick(places));
    if (!lstatSync(at).isSymbolicLink()) {
      if (random.below(2) === 0) chownSync(at, SOMEBODY, SOMEBODY);
      else chmodSync(at, random.pick([0o000, 0o444, 0o555, 0o666, 0o777, 0o2777, 0o1777]));
    }
  }
}
