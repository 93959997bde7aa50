import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseFrontmatter } from '../../src/adapters/yaml/yaml-frontmatter-parser.js';
import {
  mayHoldMetadata,
  readMetadata,
  splitFrontmatter,
} from '../../src/domain/chunks/frontmatter.js';
import { isPlainMapping } from '../../src/domain/chunks/mapping-lines.js';
import { runs } from '../support/seed.js';

const anyTags = fc.oneof(
  fc.anything(),
  fc.string(),
  fc.array(fc.oneof(fc.string(), fc.anything())),
);
const anyImportance = fc.oneof(fc.anything(), fc.double());
const parsed = fc.oneof(
  fc.anything(),
  fc.record({ tags: anyTags, importance: anyImportance }, { requiredKeys: [] }),
);

it('reads any parsed value as tags and an importance from 0 to 1, or ignores it', () => {
  fc.assert(
    fc.property(parsed, (value) => {
      const { tags, importance, ...rest } = readMetadata(value);
      expect(rest).toEqual({});
      if (importance !== undefined) expect(importance >= 0 && importance <= 1).toBe(true);
      if (tags === undefined) return;
      expect(tags.length).toBeGreaterThan(0);
      expect(tags.length).toBeLessThanOrEqual(64);
      for (const tag of tags) expect(tag).toBe(tag.trim());
      expect(tags.every((tag) => tag.length > 0 && tag.length <= 100)).toBe(true);
    }),
    runs(1000),
  );
});

const line = fc.oneof(
  fc.constantFrom('---', '...', '--- ', '----', '', 'a: 1', '# x'),
  fc.string(),
);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const texts = fc
  .tuple(fc.constantFrom('', '\uFEFF'), fc.array(fc.tuple(line, lineEnd), { maxLength: 8 }), line)
  .map(([mark, lines, last]) => mark + lines.flat().join('') + last);

it('splits any text without losing a part of it', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { yaml, body } = splitFrontmatter(text);
      expect(text.endsWith(body)).toBe(true);
      const head = text.slice(0, text.length - body.length);
      if (yaml === undefined) expect(head).toMatch(/^\uFEFF?$/);
      else
        expect(head.replace(yaml, '')).toMatch(
          /^\uFEFF?---[ \t]*\s+(---|\.\.\.)[ \t]*(\r\n|\r|\n)?$/,
        );
    }),
    runs(1000),
  );
});

it('finds the frontmatter that was put before a body', () => {
  const plain = fc.constantFrom('a: 1', 'tags: [x, y]', '', '  nested: ---', '# c', 'b:');
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 5 }), fc.string(), lineEnd, (lines, body, end) => {
      const yaml = ['a: 1', ...lines].map((text) => text + end).join('');
      expect(splitFrontmatter(`---${end}${yaml}---${end}${body}`)).toEqual({ yaml, body });
    }),
    runs(300),
  );
});

it('is not parsed if nothing of it would be used', () => {
  const scrap = fc.constantFrom(
    ...['tags', 'importance', '"tag', '\\x73"', '"t\\u0061gs"', "'tags'"],
    ...['impor', 'tance', 'title', ': ', ':\n  ', '- ', '? ', '[', ']', '{', '}', ', '],
    ...['&a ', '*a ', '<<: ', '|\n  ', '>-\n  ', 'a', '0.7', '"', "'", '\\\n', '\n'],
    ...['!!str ', '!!binary ', 'dGFncw==', '# '],
  );
  const yamls = fc.array(scrap, { maxLength: 12 }).map((scraps) => scraps.join(''));
  fc.assert(
    fc.property(yamls, (yaml) => {
      fc.pre(!mayHoldMetadata(yaml));
      expect(readMetadata(parseFrontmatter(yaml))).toEqual({});
    }),
    { ...runs(2000), examples: [['!!binary dGFncw==<<: title']] },
  );
});

const plainKey = fc.oneof(
  fc.constantFrom(
    'title',
    'Title',
    'ms.date',
    'online version',
    'null',
    'Null',
    'true',
    'a-b',
    '- a',
    '? a',
    '&a b',
  ),
  fc.stringMatching(/^[a-z&*!|>'"%@`{}[\],?: .-]{1,6}$/),
);
const plainValue = fc.oneof(
  fc.constantFrom(
    'about',
    '10/10/2020',
    'https://example.org/a#b',
    'a: b',
    'a #b',
    'a:',
    '[a, b]',
    '"a',
    '1e3',
    'null',
    '0x1F',
  ),
  fc.stringMatching(/^[a-z0-9&*!|>'"%@`{}[\],?: #\t.<-]{0,12}$/),
  fc.string({ unit: 'grapheme' }),
);
const entries = fc.array(
  fc.tuple(plainKey, fc.constantFrom(': ', ':  ', ':'), plainValue, lineEnd),
  {
    maxLength: 5,
  },
);

it('treats a text as a plain mapping only if a parser reads a mapping', () => {
  let [texts, plain] = [0, 0];
  fc.assert(
    fc.property(entries, (lines) => {
      const text = lines.flat().join('');
      texts += 1;
      if (!isPlainMapping(text)) return;
      plain += 1;
      expect(parseFrontmatter(text), JSON.stringify(text)).not.toBeUndefined();
    }),
    runs(4000),
  );
  expect(plain / texts).toBeGreaterThan(0.02);
});
