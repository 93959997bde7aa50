import type { Random } from '../../faults/random.js';
import { once, type Plants, type Scene } from './plant.js';

/** Settings, ignore files and features: files that are data, not text. */
export const DATA_PLANTS: Plants = {
  settings: once((scene) => scene.project.write('.knowledge/settings.json', settings(scene))),
  'ignore files': once(({ random, project }) => {
    const folder = random.pick(['', '.knowledge/', 'docs/', 'docs/deep/']);
    project.write('docs/deep/a.md', '## A\n\na tapir\n');
    if (random.below(2) === 0) project.write('.git/HEAD', 'ref: refs/heads/main\n');
    project.write(
      `${folder}${random.pick(['.gitignore', '.git', '.git/info/exclude'])}`,
      patterns(random),
    );
  }),
  'feature.json': once(({ random, project }) => {
    const deep = random.pick([10, 100_000]);
    project.write(
      '.knowledge/features/f/feature.json',
      random.pick([
        `{"id":"f","title":${'['.repeat(deep)}${']'.repeat(deep)}}`,
        '{"__proto__":{"status":"done"},"constructor":1,"title":7,"epicId":"../../outside"}',
        `{"title":"${'a '.repeat(200_000)}","description":{},"epicId":["x"],"dependencies":"${'x'.repeat(9)}"}`,
        '\ufeff{}',
        'null',
        '[]',
        '',
      ]),
    );
  }),
};

function settings({ random }: Scene): string {
  const globs = [
    '**/*.md',
    '**/**/**/**/a*b*c*d*e*',
    '{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}',
    '../**',
    '/etc/**',
    '!(a)',
    '[',
    '\0',
    `${'*a'.repeat(90)}`,
  ];
  const value = () =>
    random.pick([
      'null',
      '1e999',
      '-1',
      '0',
      '"x"',
      '[]',
      '{}',
      'true',
      '0.5',
      '99999999999999999999',
      JSON.stringify(globs),
    ]);
  const keys = [
    'maxChunkSize',
    'pieceSize',
    'includePatterns',
    'excludePatterns',
    'autoReindex',
    'fusion',
    'relevanceFloor',
    'candidates',
    '__proto__',
    'x'.repeat(500),
  ];
  const entries = Array.from(
    { length: random.below(8) },
    () => `${JSON.stringify(random.pick(keys))}:${value()}`,
  );
  const many = JSON.stringify(Array.from({ length: 99 }, () => random.pick(globs)));
  const deep = '['.repeat(30_000);
  return random.pick([
    `{"knowledgeStore":{${entries.join(',')}}}`,
    `{"knowledgeStore":{"includePatterns":${many},"excludePatterns":${many}}}`,
    `{"knowledgeStore":${deep}`,
    `{"knowledgeStore":{"x":${deep}${']'.repeat(30_000)}}}`,
    `{"knowledgeStore":{${'"a":1,'.repeat(8000)}"b":1}}`,
    '\ufeff{}',
    'null',
    '[]',
    '{',
    '',
  ]);
}

function patterns(random: Random): string {
  const pattern = () =>
    random.pick([
      '*',
      '**',
      '!*.md',
      '/',
      '**/a/**/b/**',
      '*a*a*a*',
      'a'.repeat(5000),
      '[a-z',
      '[^]]',
      '\\',
      '!',
      '/docs/',
      '(a+)+$',
      '\0',
      'gitdir: ../outside',
    ]);
  return Array.from({ length: random.pick([1, 5, 600, 20_000]) }, pattern).join('\n');
}
