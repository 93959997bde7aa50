import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { versionsTable } from '../../../bench/quality/text-report.js';
import { recordedVersions } from '../../../bench/quality/versions.js';

test('docs/quality.md has a row for each recorded version, and no other', async () => {
  const text = await readFile(new URL('../../../docs/quality.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('## Versions\n');
  const rows = section
    .split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows).toEqual(versionsTable(recordedVersions()).split('\n'));
});
