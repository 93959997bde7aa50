import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { SIDECARS } from '../../../src/adapters/sqlite/database/untrusted-files.js';
import { journalNaming } from '../../../test/support/super-journal.js';
import { isBehindLink, once, type Plants, type Scene } from './plant.js';

/** Puts links, journals, pipes and folders in the place of the product's own files. */
export const NAME_PLANTS: Plants = {
  'a link in a name of ours': once((scene) => takeName(scene, linkOutside)),
  'something else in a name of ours': once((scene) => takeName(scene, putSomething)),
  'a journal that names a file outside': once(putJournal),
};

/** Takes names of the product in a project whose database is foreign, invalid, our own or missing. */
function takeName(scene: Scene, put: (scene: Scene, at: string) => void): void {
  putDatabase(scene);
  for (let count = 1 + scene.random.below(3); count > 0; count -= 1) {
    const at = scene.project.at(scene.random.pick(scene.productNames));
    try {
      // An earlier link may lead outside, where we ourselves would change something.
      if (isBehindLink(at)) continue;
      mkdirSync(dirname(at), { recursive: true });
      rmSync(at, { recursive: true, force: true });
      put(scene, at);
    } catch {
      // A link or pipe has taken the place of a folder above.
    }
  }
}

function putDatabase({ random, project, databases }: Scene): void {
  const content = random.pick([...databases, Buffer.from('no database\n'.repeat(1000)), undefined]);
  if (content === undefined) return;
  rmSync(project.at('.knowledge/knowledge.db'), { recursive: true, force: true });
  project.write('.knowledge/knowledge.db', content);
}

function linkOutside({ random, outside }: Scene, at: string): void {
  const target = random.pick([
    '',
    'secret.md',
    'empty',
    'settings.json',
    'empty.txt',
    'made-by-us',
  ]);
  const path = join(outside, target);
  symlinkSync(random.pick([path, relative(dirname(at), path)]), at);
}

function putSomething({ random, databases }: Scene, at: string): void {
  random.pick([
    () => writeFileSync(at, ''),
    () => writeFileSync(at, random.bytes(random.pick([1, 100, 4096]))),
    () => writeFileSync(at, random.pick(databases)),
    () => mkdirSync(join(at, 'a.md'), { recursive: true }),
    () => void execFileSync('mkfifo', [at]),
  ])();
}

/** Puts a journal beside a database of ours, whether or not that exists. The path it names is absolute or relative. */
function putJournal(scene: Scene): void {
  const { random, project, outside, databases, productNames } = scene;
  putDatabase(scene);
  const names = productNames.filter(
    (name) => name.includes('/knowledge.db') && !SIDECARS.some((one) => name.endsWith(one)),
  );
  const at = project.at(random.pick(names));
  const victim = join(
    outside,
    random.pick(['secret.md', 'settings.json', 'features/f/reflection.md']),
  );
  const bytes = random.pick(databases);
  // Another plant may have put a link there, through which we ourselves would write.
  for (const path of [at, `${at}-journal`]) rmSync(path, { recursive: true, force: true });
  if (random.below(2) === 0) writeFileSync(at, bytes);
  else cpSync(project.database, at, { force: true });
  const spelling = random.pick([
    victim,
    relative(process.cwd(), victim),
    relative(dirname(at), victim),
  ]);
  writeFileSync(`${at}-journal`, journalNaming(spelling, Math.max(1, bytes.length >> 12)));
}
