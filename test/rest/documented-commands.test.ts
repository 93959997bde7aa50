import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { REFERENCE_MODEL } from '../../src/domain/ranking/cosine-scale.js';
import { execute } from '../support/database-inspection.js';
import { CHECKOUT, runProgram, startService } from '../support/running-service.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';
import { writeTinyModel } from '../support/tiny-model.js';

/**
 * Runs every command and program in a fence of the documents, and parses what is data. `<!-- not run here: why -->`
 * above a fence excepts it; such fences are listed as skipped.
 */
const DOCUMENTS = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'deploy/README.md',
  'examples/README.md',
  ...readdirSync(join(CHECKOUT, 'docs')).flatMap((name) =>
    name.endsWith('.md') ? [`docs/${name}`] : [],
  ),
];

/** What other tests run, by language, document and test. */
const ELSEWHERE = [
  ['sh', 'docs/storage.md', 'test/unit/docs/docs-storage.test.ts'],
  ['js', 'docs/storage.md', 'test/unit/docs/docs-storage.test.ts'],
  ['python', 'docs/storage.md', 'test/unit/docs/docs-storage.test.ts'],
  ['ts', 'docs/api.md', 'test/rest/generated-client.test.ts'],
  ['sh', 'docs/api.md', 'test/unit/docs/docs-api.test.ts'],
] as const;

interface Fence {
  readonly place: string;
  readonly file: string;
  readonly language: string;
  readonly text: string;
  readonly exception: string | undefined;
}

const FENCES = DOCUMENTS.flatMap(fencesOf);
const HOME = '/home/me';

const projects = testProjects();
const service = await startService();
afterAll(() => service.stop());

describe('a command of the documents runs', () => {
  test.each(fences('sh'))('$place', async (fence) => {
    const home = homeWith(SHOP);
    const script = fence.text
      .replaceAll(/(?:http:\/\/)?(?:localhost|127\.0\.0\.1):3737/g, service.url)
      .replaceAll(/\/home\/me\/project|\/absolute\/path\/of\/your\/project/g, home.at('shop'));
    const { code, out, err } = await bash(script, home);
    expect([code, code === 0 ? '' : err]).toEqual([0, '']);
    expect(out).not.toContain('"success":false');
  });

  test.each(fences('console'))('$place, and prints what is shown', async (fence) => {
    const { files, before } = SCENES[fence.file]?.shift() ?? { files: {} };
    const home = homeWith(files);
    if (before !== undefined) {
      await bash('knowledge-store ingest --no-vectors', home);
      before(home.at('shop/.knowledge/knowledge.db'));
    }
    for (const session of fence.text.split(/^\$ /m).slice(1)) {
      const [command = '', ...expected] = session.split('\n');
      const result = await bash(command.replaceAll(HOME, home.path), home);
      const all = result.out + result.err + (result.code === 0 ? '' : `(exit code ${result.code})`);
      expect(comparable(all.replaceAll(home.path, HOME))).toBe(comparable(expected.join('\n')));
    }
  });
});

test.each(fences('js'))('the program of $place runs', async ({ text }) => {
  const home = homeWith(SHOP);
  await writeTinyModel(home.at('data/models'), {}, REFERENCE_MODEL);
  home.write(
    'program.mjs',
    `${text.replace("'/tmp/knowledge'", `'${home.at('data')}'`).replace(/\/absolute\/path\/[^']+/g, home.at('shop'))}
      console.log(results.map(({ chunk }) => chunk.id));
      await stop();`,
  );
  mkdirSync(home.at('node_modules'));
  symlinkSync(CHECKOUT, home.at('node_modules/knowledge-store'));
  const { out, err } = await bash('node ../program.mjs', home);
  expect(out, err).toContain('docs/cache.md#0');
});

describe('data of the documents can be parsed', () => {
  test.each(fences('json'))('$place', ({ text }) => void JSON.parse(text));
});

test.each(ELSEWHERE)('%s of %s is run by %s', (language, file, by) => {
  expect(FENCES.some((fence) => fence.file === file && fence.language === language)).toBe(true);
  expect(readFileSync(join(CHECKOUT, by), 'utf8')).toContain(file.slice(file.indexOf('/') + 1));
});

test('no other language is in a fence', () => {
  const known = ['sh', 'console', 'js', 'json', 'ts', 'python'];
  const others = FENCES.filter(
    ({ language, exception }) => exception === undefined && !known.includes(language),
  );
  expect(others).toEqual([]);
});

for (const { place, exception } of FENCES) {
  if (exception !== undefined) test.skip(`${place} is not run here: ${exception}`);
}

// Helpers

const SHOP = { 'docs/cache.md': '## Cache\nInvalidate the redis cache after each write.\n' };

interface Scene {
  /** Of the directory `shop`. */
  readonly files: Readonly<Record<string, string>>;
  /** What happens to the database after a first ingestion. */
  readonly before?: (database: string) => void;
}

const OPS =
  '# Operations\n\n## Pager\nThe pager is with ops.\n\n## Releases\nReleases go out on Tuesdays.\n';

/** Where the sessions of a document take place, in order. */
const SCENES: Readonly<Record<string, Scene[]>> = {
  'README.md': [
    {
      files: {
        'docs/database.md':
          '# Database\n\n## Locks\nWriters wait for the write lock of the other process, up to 15 seconds.\n',
        'docs/api.md': '## Errors\nEvery error has a code.\n',
      },
    },
  ],
  'docs/when-it-breaks.md': [
    {
      files: { 'docs/ops.md': OPS },
      before: (path) => execute(path, "INSERT INTO chunks_fts(chunks_fts) VALUES ('delete-all')"),
    },
  ],
};

function fences(language: string): readonly Fence[] {
  return FENCES.filter(
    (fence) =>
      fence.language === language &&
      fence.exception === undefined &&
      !ELSEWHERE.some(([other, file]) => other === language && file === fence.file),
  );
}

function fencesOf(file: string): readonly Fence[] {
  const text = readFileSync(join(CHECKOUT, file), 'utf8');
  const blocks = text.matchAll(/(?:^<!-- not run here: ([^\n]*) -->\n)?^```(\w+)\n(.*?)^```$/gms);
  return [...blocks].map(({ 1: exception, 2: language = '', 3: code = '', index }) => {
    const line = text.slice(0, index).split('\n').length;
    return { place: `${file}:${line}`, file, language, text: code, exception };
  });
}

/** A home directory with the project `shop`, and the command on its path. */
function homeWith(files: Scene['files']): TempProject {
  const home = projects.make({
    'bin/knowledge-store': `#!/bin/sh\nexec '${process.execPath}' '${CHECKOUT}/dist/cli.js' "$@"\n`,
    'shop/.git/HEAD': '',
    'copy/.git/HEAD': '',
  });
  chmodSync(home.at('bin/knowledge-store'), 0o755);
  for (const [path, text] of Object.entries(files)) home.write(`shop/${path}`, text);
  return home;
}

function bash(script: string, home: TempProject) {
  return runProgram(['bash', '--norc', '-eu', '-o', 'pipefail', '-c', script], home.at('shop'), {
    HOME: home.path,
    PATH: [home.at('bin'), process.env['PATH']].join(delimiter),
    COLUMNS: '200',
    KNOWLEDGE_TOKEN: 't',
  });
}

/** Without what differs from run to run, and what is said because tests have no embedding model. */
function comparable(text: string): string {
  const steady = text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d.-]+Z/g, 'TIME')
    .replaceAll(/[\d.]+ [kM]B/g, 'SIZE')
    .replaceAll(/SQLite says "[^"]+"/g, 'SQLite says so')
    .replaceAll(/\. [^.\n]*embedding model[^.]*\. This search used keywords only[^.]*\./g, '')
    .replaceAll(/^.*(?:no vector yet|embedding model).*\n/gm, '');
  return steady.trim().split('\n').sort().join('\n');
}
