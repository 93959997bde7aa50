import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { STORE_BACKENDS } from '../../../src/app/config/config.js';
import { CANDIDATE_SETS, FUSIONS, HYPE_COMPARISONS } from '../../../src/domain/settings.js';

/** The documents whose tables list what a value may be. */
const [API, CONFIGURATION] = await Promise.all(
  ['api', 'configuration'].map((name) =>
    readFile(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8'),
  ),
);

test.each([
  ['docs/api.md', 'fusion', API, FUSIONS],
  ['docs/api.md', 'candidates', API, CANDIDATE_SETS],
  ['docs/configuration.md', 'fusion', CONFIGURATION, FUSIONS],
  ['docs/configuration.md', 'candidates', CONFIGURATION, CANDIDATE_SETS],
  ['docs/configuration.md', 'hypeComparison', CONFIGURATION, HYPE_COMPARISONS],
])('%s lists the values of `%s`, and no others', (_, name, text, values) => {
  const listed = rowsOf(text, name).map((row) => /(?:`"\w+"`, )+`"\w+"`/.exec(row)?.[0]);
  expect(listed).toContain(values.map((value) => `\`"${value}"\``).join(', '));
});

test('docs/configuration.md names every backend', () => {
  const [row = ''] = rowsOf(CONFIGURATION, 'KNOWLEDGE_STORE');
  expect(STORE_BACKENDS.filter((name) => !row.includes(`\`${name}\``))).toEqual([]);
});

/** The rows of all tables whose first cell is this name. */
function rowsOf(text = '', name = ''): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`));
}
