import { describe, expect, it } from 'vitest';
import {
  parseFrontmatter,
  YamlFrontmatterParser,
} from '../../../src/adapters/yaml/yaml-frontmatter-parser.js';
import { FRONTMATTER_MAX_CHARACTERS } from '../../../src/domain/limits.js';
import { SilentLogger } from '../../fakes/silent-logger.js';

const TAGS = 'tags: [a, b]\nimportance: 0.7\n';

describe('the frontmatter of a file', () => {
  it('is read as YAML', () => {
    expect(parseFrontmatter(TAGS)).toEqual({ tags: ['a', 'b'], importance: 0.7 });
    expect(parseFrontmatter('a: 1\na: 2\n')).toEqual({ a: 2 });
    expect(parseFrontmatter('')).toBeNull();
  });

  it('does not depend on what was read before', () => {
    const parser = new YamlFrontmatterParser(new SilentLogger());
    for (const yaml of ['', TAGS, '']) {
      expect(parser.parse(yaml, 'docs/a.md')).toEqual(parseFrontmatter(yaml));
    }
  });

  it.each(['{{{', 'a: !!js/function x', 'a: *missing', 'a: "open'])('is nothing for %j', (yaml) => {
    expect([undefined, { a: 'x' }]).toContainEqual(parseFrontmatter(yaml));
  });

  it('is read up to 16 kB; more is reported with the name of the file', () => {
    const logger = new SilentLogger();
    const parser = new YamlFrontmatterParser(logger);
    const longest = TAGS + '#'.repeat(FRONTMATTER_MAX_CHARACTERS - TAGS.length);
    expect(parser.parse(longest, 'docs/a.md')).toMatchObject({ importance: 0.7 });
    expect(logger.entries).toEqual([]);
    expect(parser.parse(`${longest}#`, 'docs/a.md')).toBeUndefined();
    expect(logger.entries).toMatchObject([
      { level: 'warn', fields: { sourceFile: 'docs/a.md', characters: 16_385 } },
    ]);
  });

  it('with aliases that multiply is nothing', () => {
    const [start, ...levels] = 'abcdefgh';
    const bomb = [
      `${start}: &${start} [x, x, x, x, x, x, x, x]`,
      ...levels.map((level, i) => {
        const alias = `*${'abcdefgh'[i]}`;
        return `${level}: &${level} [${Array(8).fill(alias).join(', ')}]`;
      }),
    ].join('\n');
    expect(parseFrontmatter(bomb)).toBeUndefined();
  });

  it.each([
    ['keys', Array.from({ length: 30_000 }, (_, i) => `k${i}: 1`).join('\n')],
    ['anchors', '&a '.repeat(30_000)],
    ['brackets', '['.repeat(30_000)],
    ['quotes', '"'.repeat(30_000)],
    ['aliases', `a: &a x\n${'- *a\n'.repeat(30_000)}`],
  ])('of 30,000 %s is read or refused in bounded time', (_, yaml) => {
    const started = performance.now();
    parseFrontmatter(yaml);
    parseFrontmatter(yaml.slice(0, FRONTMATTER_MAX_CHARACTERS));
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it.each([
    ['lists', '[', 'x', ']'],
    ['maps', '{a: ', 'x', '}'],
    ['items', '- ', 'x', ''],
    ['explicit keys', '? ', 'x', ''],
    ['empty keys', ': ', 'x', ''],
    ['keys', 'a: ', 'x', ''],
    ['keys that are lists', '? [', 'x', ']'],
  ])('with %s nested deeply is nothing', (_, open, inner, close) => {
    const nested = (depth: number) => open.repeat(depth) + inner + close.repeat(depth);
    expect(parseFrontmatter(`- \n ${nested(500)}`)).toBeUndefined();
  });

  it('may be nested 90 levels deep', () => {
    const depth = 90;
    const yaml = `tags: [a]\nother: ${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(parseFrontmatter(yaml)).toMatchObject({ tags: ['a'] });
  });
});
