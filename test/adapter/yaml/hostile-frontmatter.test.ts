import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FRONTMATTER_MAX_CHARACTERS } from '../../../src/domain/limits.js';
import { runs } from '../../support/seed.js';

/** Reads frontmatter from each depth of the stack, where the parser may find too little of it left. */
const CHILD = `
  import { readFileSync } from 'node:fs';
  import { parseFrontmatter } from './dist/adapters/yaml/yaml-frontmatter-parser.js';
  const at = (depth, yaml) => depth > 0 ? at(depth - 1, yaml) : parseFrontmatter(yaml);
  const { texts, depths } = JSON.parse(readFileSync(0, 'utf8'));
  for (const yaml of texts) for (let depth = 0; depth < depths; depth += 1) at(depth, yaml);
  console.log('alive');
`;

function expectToLive(texts: readonly string[], depths: number): void {
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', CHILD], {
    input: JSON.stringify({ texts, depths }),
    encoding: 'utf8',
    timeout: 55_000,
  });
  expect(child.stdout, child.stderr.slice(0, 1000)).toBe('alive\n');
}

const UNITS = [
  ...['[', '{', '[{', ']', '}', '[?', '{? ', '[a: ', '{a: ', '[]: ', '{}: ', ', '],
  ...['? ', '- ', ': ', 'a: ', '? - ', '- ? : ', '- [', '? [', '&a ', '!a ', '*a ', '[&a '],
  ...['"', "'", '|\n ', '>\n', '\n', '\n  ', '\n- ', '# ', '---\n', 'x'],
];

it.each([
  ['lists', `tags: ${'['.repeat(8000)}${']'.repeat(8000)}`],
  ['explicit keys', `tags: ${'? '.repeat(8000)}`],
])('does not end the process, however deep its %s are nested', (_, yaml) => {
  expectToLive([yaml], 200);
});

it('never ends the process', () => {
  const unit = fc.constantFrom(...UNITS);
  const repeated = fc.tuple(fc.array(unit, { maxLength: 6 }), fc.integer({ min: 1, max: 4000 }));
  const part = repeated.map(([units, times]) => units.join('').repeat(times));
  const garbage = fc
    .array(part, { minLength: 1, maxLength: 4 })
    .map((parts) => `tags: ${parts.join('')}`.slice(0, FRONTMATTER_MAX_CHARACTERS));
  const texts = fc.sample(garbage, runs(60));
  expectToLive(texts, 1);
});
