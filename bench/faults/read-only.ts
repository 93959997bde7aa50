import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject, tempDirectory } from '../../test/support/temp-project.js';
import type { FaultFamily } from './family.js';
import { indexedProject } from './projects.js';

/** Each makes a copied project read-only in its own way; all need the right to mount. */
const WAYS = ['file system', 'file system, not indexed'] as const;

/** F8: projects on a file system that cannot be written. Needs the right to mount. */
export const readOnly: FaultFamily = {
  name: 'F8',
  title: 'read-only projects',
  defaultRounds: 4,
  async run({ rounds }) {
    const template = await indexedProject(3);
    const client = await startClient('hybrid');
    const wrong: string[] = [];
    let served = 0;
    for (let round = 0; round < rounds; round += 1) {
      const way = WAYS[round % WAYS.length] ?? 'file system';
      const isIndexed = way === 'file system';
      const mounted = mountedCopy(template, way);
      try {
        const before = fingerprint(mounted.project);
        const found = await client.search(mounted.project, 'apple');
        const rebuilt = await client.rebuild(mounted.project);
        if (isIndexed && (found.status !== 200 || okBody(found).results.length === 0)) {
          wrong.push(`${way}: a search is ${found.status}: ${found.text}`);
        }
        if (!isIndexed && found.status !== 503) wrong.push(`${way}: a search is ${found.status}`);
        if (rebuilt.status !== 503) wrong.push(`${way}: a rebuild is ${rebuilt.status}`);
        if (fingerprint(mounted.project) !== before) wrong.push(`${way}: something was changed`);
        if (found.status === 200) served += 1;
      } finally {
        mounted.remove();
      }
    }
    if (!client.service.process.isRunning()) wrong.push('the service has ended');
    await client.service.stop();
    template.remove();
    return { rounds, acknowledged: served, lost: 0, wrong, notes: [] };
  },
  /** The same look at a project that can be written, which a rebuild changes. */
  async negativeControl() {
    const template = await indexedProject(3);
    const client = await startClient('hybrid');
    const before = fingerprint(template);
    template.writeReflection('more', '## More\n\napple\n');
    okBody(await client.rebuild(template));
    await client.service.stop();
    const seen = fingerprint(template) === before ? [] : ['something was changed'];
    template.remove();
    return seen;
  },
};

function mountedCopy(template: TempProject, way: (typeof WAYS)[number]) {
  const disk = tempDirectory('knowledge-read-only-');
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]);
  cpSync(template.path, disk, { recursive: true });
  const project = new TempProject({}, '.knowledge', disk);
  if (way !== WAYS[0]) project.delete('.knowledge/knowledge.db');
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  return { project, remove: () => void execFileSync('umount', ['-l', disk]) };
}

/** Of every file below the application directory. */
function fingerprint({ path }: TempProject): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const file = `${entry.parentPath}/${entry.name}`;
    hash.update(file);
    if (entry.isFile() && existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}
