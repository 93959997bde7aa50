import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { isBehindLink, once, type Plants, type Scene } from './plant.js';

/** Odd names, odd kinds of files, and links that keep changing. */
export const FOLDER_PLANTS: Plants = {
  'odd names': once(oddNames),
  'odd kinds': (scene) => oddKind(scene),
  'links out': once((scene) => inPlace(scene, (at) => symlinkSync(target(scene), at))),
  'moving links': movingLinks,
  'a deep or wide tree': once(({ random, project }) => {
    const deep = Array.from({ length: random.pick([20, 400]) }, () => 'd'.repeat(8)).join('/');
    if (random.below(2) === 0) project.write(`${deep.slice(0, 3500)}/a.md`, '## A\n\na tapir\n');
    else for (let i = 0; i < 500; i += 1) project.write(`w/${i}/${i}.md`, `## ${i}\n\na tapir\n`);
  }),
};

const PLACES = [
  '.knowledge',
  '.knowledge/settings.json',
  '.knowledge/memory',
  '.knowledge/memory/a.md',
  '.knowledge/features',
  '.knowledge/features/f',
  '.knowledge/features/f/reflection.md',
  '.knowledge/features/f/feature.json',
  '.knowledge/notes',
  '.knowledge/notes/a.md',
  '.knowledge/project-key',
  '.knowledge/.gitignore',
  '.gitignore',
  '.git',
  'docs',
  'docs/a.md',
  'README.md',
  '.knowledge/memory/.history',
];

/** Puts something at a random place in the project, instead of what was there. */
function inPlace({ random, project }: Scene, put: (at: string) => void): void {
  const at = project.at(random.pick(PLACES));
  if (isBehindLink(at)) return;
  try {
    mkdirSync(dirname(at), { recursive: true });
    rmSync(at, { recursive: true, force: true });
    put(at);
  } catch {
    // Another plant has made the place unusable.
  }
}

function target({ random, outside }: Scene): string {
  const inside = random.pick([
    '',
    'secret.md',
    'features',
    'features/f',
    'memory',
    'memory/secret.md',
    'empty',
    'settings.json',
    'made-by-the-service',
  ]);
  return random.pick([
    join(outside, inside),
    join(outside, inside),
    `../../../outside/${inside}`,
    `../../../../outside/${inside}`,
    '..',
    '.',
    'docs',
    '/',
    '/etc',
    '/dev/zero',
    '/dev/random',
    '/proc/self/mem',
    '/proc/self/fd',
    '/proc/self/root',
    '/nowhere',
    'loop',
    '\u202e',
  ]);
}

function oddKind(scene: Scene): (() => void) | undefined {
  let stop: (() => void) | undefined;
  inPlace(scene, (at) =>
    scene.random.pick([
      () => void execFileSync('mkfifo', [at]),
      () => void execFileSync('mknod', [at, 'c', '1', scene.random.pick(['3', '5', '8'])]),
      () => mkdirSync(join(at, 'a.md'), { recursive: true }),
      () => writeFileSync(at, 'a tapir'),
      () => {
        const server = createServer().listen(at);
        server.on('error', () => undefined);
        stop = () => server.close();
      },
    ])(),
  );
  return stop;
}

function oddNames({ random, project }: Scene): void {
  const names = [
    Buffer.from([0xff, 0xfe, 0x61]),
    Buffer.from('caf\xe9', 'latin1'),
    'a\nb',
    'a\tb',
    '\u001b[31mred',
    '\u202egpj',
    'x'.repeat(250),
    '...',
    '. .',
    '-rf',
    '__proto__',
    'constructor',
    'CON',
    'a:b',
    'a\\b',
    '中文',
    'e\u0301',
    '%2e%2e',
    '#0',
    '*',
    '?',
    '"',
    "'",
    ' ',
    '\u{e0041}',
    '{a,b}',
    '[x]',
    '!x',
    '~',
    '$(id)',
  ];
  for (let count = 1 + random.below(6); count > 0; count -= 1) {
    const folder = random.pick([
      '',
      'docs',
      '.knowledge/memory',
      '.knowledge/notes',
      '.knowledge/features',
    ]);
    mkdirSync(project.at(folder), { recursive: true });
    const name = Buffer.from(random.pick<string | Buffer>(names));
    const at = Buffer.concat([Buffer.from(`${project.at(folder)}/`), name]);
    const isFolder = folder.endsWith('features') || random.below(4) === 0;
    const file = Buffer.concat([at, Buffer.from(isFolder ? '/reflection.md' : '.md')]);
    try {
      if (isFolder) mkdirSync(at, { recursive: true });
      writeFileSync(file, '## N\n\na tapir\n');
    } catch {
      // The file system refuses the name.
    }
  }
}

function isBelowNoLink(path: string): boolean {
  return existsSync(path) ? realpathSync(path) === path : isBelowNoLink(dirname(path));
}

/** Alternates between a folder and a link out of the project, until it is stopped. */
function movingLinks(scene: Scene): () => void {
  const { random, project, outside } = scene;
  const place = random.pick([
    '.',
    '..',
    '.knowledge',
    '.knowledge/memory',
    '.knowledge/features/f',
    '.knowledge/notes',
    'docs',
  ]);
  const path = project.at(place);
  // If another plant turned a folder above into a link, this plant itself would work outside the project.
  if (!isBelowNoLink(dirname(path))) return () => undefined;
  mkdirSync(path, { recursive: true });
  const aside = `${path}.aside`;
  const swap = () => {
    try {
      if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
        unlinkSync(path);
        renameSync(aside, path);
      } else {
        renameSync(path, aside);
        symlinkSync(outside, path);
      }
    } catch {
      // The service is using the folder.
    }
  };
  const timer = setInterval(swap, 1 + random.below(5));
  return () => {
    clearInterval(timer);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) swap();
  };
}
