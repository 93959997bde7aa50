import fc from 'fast-check';
import { expect, it } from 'vitest';
import { citedFiles } from '../../src/app/citations/cited-files.js';
import { toCitation, verdictOn } from '../../src/domain/citations/citation.js';
import { LineHashes } from '../../src/domain/citations/line-hashes.js';
import { findMentions } from '../../src/domain/citations/mentions.js';
import { runs } from '../support/seed.js';

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
const path = fc
  .tuple(fc.array(name, { minLength: 1, maxLength: 4 }), fc.constantFrom('ts', 'md', 'py', 'json'))
  .map(([folders, extension]) => `${folders.join('/')}/file.${extension}`);
const prose = fc.stringMatching(/^[A-Za-z]{1,8}( [A-Za-z]{1,8}){0,6}$/);
const line = fc.oneof(
  fc.constantFrom('', '}', '  return a;', 'const b = 1;', 'const c = 2;'),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, ' ')),
);
const lines = fc.array(line, { minLength: 1, maxLength: 25 });

it('finds a path anywhere in prose, however it is marked, with its lines', () => {
  const marks = fc.constantFrom(
    ['', ''],
    ['`', '`'],
    ['**', '**'],
    ['(', ')'],
    ['"', '"'],
    ['[x](', ')'],
  );
  const numbers = fc.option(
    fc
      .tuple(fc.integer({ min: 1, max: 99 }), fc.nat({ max: 99 }))
      .map(([from, more]) => ({ from, to: from + more })),
    { nil: undefined },
  );
  fc.assert(
    fc.property(prose, path, numbers, marks, prose, (before, file, range, [open, close], after) => {
      const suffix = range === undefined ? '' : `:${range.from}-${range.to}`;
      const text = `${before} ${open}${file}${suffix}${close}. ${after}`;
      expect(findMentions(text)).toContainEqual(
        range === undefined ? { path: file } : { path: file, lines: range },
      );
    }),
    runs(300),
  );
});

it('cites a file with spaces in its path by a whole code span or target of a link, and nothing for its words', async () => {
  const spaced = fc.tuple(name, path).map(([first, rest]) => `${first} ${rest.replace('/', ' /')}`);
  const marks = fc.constantFrom(['`', '`'], ['[x](<', '>)'], ['[x](', ')']);
  const lines = fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      prose,
      spaced,
      lines,
      marks,
      prose,
      async (before, file, line, marked, after) => {
        const written = marked[1] === ')' ? encodeURI(file) : file;
        const text = `${before} ${marked.join(`${written}${line === undefined ? '' : `:${line}`}`)} ${after}`;
        const files = {
          has: async (one: string) => one === file,
          named: async () => ['src/other.ts'],
        };
        const source = { sourceFile: 'a.md', appDir: '.knowledge', project: '/shop' };
        const range = line === undefined ? {} : { lines: { from: line, to: line } };
        expect(await citedFiles(findMentions(text), files, source)).toEqual([
          { path: file, ...range },
        ]);
      },
    ),
    runs(200),
  );
});

it('finds nothing between fences, and the same beside them', () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: 5 }), prose, (files, text) => {
      const fenced = `\`\`\`\n${files.join('\n')}\n\`\`\``;
      expect(findMentions(`${text}\n${fenced}\n${text}`)).toEqual(findMentions(`${text}\n${text}`));
    }),
    runs(100),
  );
});

it('reads any text, names nothing that leads out of a project by itself, and repeats nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const mentions = findMentions(text);
      const keys = mentions.map((mention) => JSON.stringify(mention));
      expect(new Set(keys).size).toBe(keys.length);
      for (const { path: named } of mentions)
        expect(named).not.toMatch(/^[/~@ ]|[^\S ]|[\\:*{}`]|\/\//);
    }),
    runs(500),
  );
});

it('cites only existing files of the project, for any mentions', async () => {
  const written = fc.array(
    fc.oneof(
      path,
      path.map((file) => `../${file}`),
      fc.constant('../../x/file.ts'),
    ),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(
      written,
      fc.array(path, { maxLength: 10 }),
      path,
      async (paths, existing, sourceFile) => {
        const files = {
          has: async (file: string) => existing.includes(file),
          named: async (file: string) => existing.filter((one) => one.endsWith(`/${file}`)),
        };
        const source = { sourceFile, appDir: '.knowledge', project: '/shop' };
        const cited = await citedFiles(
          paths.map((one) => ({ path: one })),
          files,
          source,
        );
        expect(cited.length).toBeLessThanOrEqual(20);
        for (const { path: file } of cited) expect(existing).toContain(file);
      },
    ),
    runs(200),
  );
});

it('finds lines again wherever they moved to, and only equal ones', () => {
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat({ max: 5 }), lines, (text, start, more, other) => {
      const from = 1 + (start % text.length);
      const range = { from, to: Math.min(text.length, from + more) };
      const hash = new LineHashes(text.join('\n')).of(range);
      fc.pre(hash !== undefined);
      const cited = text.slice(range.from - 1, range.to).map((one) => one.trimEnd());
      const naive = (where: readonly string[]) =>
        where
          .map((_, at) => at + 1)
          .filter((at) => cited.every((one, offset) => where[at - 1 + offset]?.trimEnd() === one))
          .toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from) || a - b)[0];
      for (const where of [text, other, [...other, ...text], [...text, ...other]]) {
        const hashes = new LineHashes(where.join('\r\n'));
        expect(hashes.find(hash as string, range)?.from).toBe(naive(where));
      }
    }),
    runs(300),
  );
});

it('is current while the file is the same, and never stale while its lines are still there', () => {
  fc.assert(
    fc.property(lines, fc.nat(), lines, lines, (text, start, above, below) => {
      const at = 1 + (start % text.length);
      const range = { from: at, to: at };
      const file = (content: readonly string[]) => ({
        hash: content.join('\n'),
        lines: new LineHashes(content.join('\n')),
      });
      const [before, after] = [file(text), file([...above, ...text, ...below])];
      const citation = toCitation('a.ts', before, range);
      expect(verdictOn(citation, before)).toEqual({ state: 'current' });
      fc.pre(citation.lines !== undefined);
      const { state } = verdictOn(citation, after);
      expect(['current', 'current']).toContain(state);
    }),
    runs(200),
  );
});
